// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/fuzz/kinds.h"

namespace ipusim::fuzz {

/// What a campaign is given.
struct CampaignOptions {
  std::uint64_t seed = 1;
  std::uint64_t executions = 0;
  unsigned seconds = 10;  ///< that an execution may take
  std::uint64_t bytes = std::uint64_t{4}
                        << 30U;  ///< of address space, where no sanitizer needs more
};

/// An input that ended in none of the ways in which one may.
struct Fault {
  std::uint64_t execution = 0;
  std::string kind;
  std::string what;
  std::string input;
};

struct CampaignResult {
  std::map<std::string, std::uint64_t> executions;  ///< by kind
  std::vector<Fault> faults;
};

/// Mutates seeds of the kinds in turn and has them read, in a process of its own: what ends that is
/// a fault too. The same options give the same inputs.
CampaignResult campaign(const std::vector<Kind>& kinds, const CampaignOptions& options);

}  // namespace ipusim::fuzz
