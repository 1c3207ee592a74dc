// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/fuzz/kinds.h"

namespace ipusim::fuzz {

/// The options of a campaign.
struct CampaignOptions {
  std::uint64_t seed = 1;
  std::uint64_t executions = 0;
  unsigned seconds = 10;  ///< limit of the time of an execution
  std::uint64_t bytes = std::uint64_t{4}
                        << 30U;  ///< limit of the address space, when no sanitizer needs more
};

/// An input that ended in none of the allowed ways.
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

/// Mutates seeds of the kinds in turn, and lets a process of its own read them. An end of that
/// process is a fault too. Equal options give equal inputs.
CampaignResult campaign(const std::vector<Kind>& kinds, const CampaignOptions& options);

}  // namespace ipusim::fuzz
