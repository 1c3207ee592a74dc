// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sim/compile/compile.h"
#include "sim/run/simulate.h"

namespace ipusim::run {

/// What a compilation takes from a config.
struct CompileInputs {
  std::string program;  ///< the tables that the graph is built by, as JSON
  Machine machine;
};

/// Throws ConfigError where the machine cannot be read.
CompileInputs compileInputs(const ConfigReader& config);

/// The first stage of a compilation that takes another value from one than from the other; Timing
/// if there is none.
compiler::Stage firstToDiffer(const CompileInputs& a, const CompileInputs& b);

/// Keeps the last experiment, for a next config whose graph is the same. Each stage compiles again
/// what it takes other values for.
class CompileCache {
 public:
  /// As run::prepare, for as long as the next call. Throws as that does.
  const Experiment& prepare(const ConfigReader& config);

 private:
  std::string program_;  ///< of the inputs of it
  std::optional<Experiment> experiment_;
};

}  // namespace ipusim::run
