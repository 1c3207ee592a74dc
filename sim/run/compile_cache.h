// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sim/run/simulate.h"

namespace ipusim::run {

/// True for keys that change what a compiled program takes, and not the program: the clock, the
/// base time of a sync, those of launches, all of [compare].
bool isReadAfterCompile(const std::string& dotted_key);

/// Keeps the last experiment, for a next config that differs from its in such keys only.
class CompileCache {
 public:
  /// As run::prepare, for as long as the next call. Throws as that does.
  const Experiment& prepare(const ConfigReader& config);

 private:
  std::string compiled_;  ///< the config of it, without the keys above
  std::optional<Experiment> experiment_;
};

}  // namespace ipusim::run
