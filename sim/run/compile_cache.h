// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>

#include "sim/compile/compile.h"
#include "sim/run/simulate.h"

namespace ipusim::run {

/// The first part of a compilation that reads a key of a config; Timing for those that none reads:
/// all of [compare].
compiler::Stage firstReadBy(const std::string& dotted_key);

/// Keeps the last experiment, for a next config that differs from its in nothing it was lowered
/// from.
class CompileCache {
 public:
  /// As run::prepare, for as long as the next call. Throws as that does.
  const Experiment& prepare(const ConfigReader& config);

  /// Of a config, a Stage: what it is the first to read.
  using Parts = std::array<std::string, compiler::kStages>;

 private:
  Parts parts_;  ///< of the config of it
  std::optional<Experiment> experiment_;
};

}  // namespace ipusim::run
