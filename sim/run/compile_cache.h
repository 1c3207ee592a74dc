// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sim/compile/compile.h"
#include "sim/run/simulate.h"

namespace ipusim::run {

/// The inputs of a compilation, read from a config.
struct CompileInputs {
  /// The tables that the graph is built from, as JSON. For several IPUs, their system is one of
  /// them.
  std::string program;
  System system;
};

/// Throws ConfigError when the machine cannot be read.
CompileInputs compileInputs(const ConfigReader& config);

/// The first stage of a compilation whose input differs between `a` and `b`, or Timing if none
/// does.
compiler::Stage firstToDiffer(const CompileInputs& a, const CompileInputs& b);

/// Keeps the last experiment for a next config with an equal graph. The stages from the first one
/// with a changed input compile again.
class CompileCache {
 public:
  /// Returns what run::prepare returns; the reference is valid until the next call. Throws what
  /// run::prepare throws.
  const Experiment& prepare(const ConfigReader& config, const OnWorkEstimate& on_estimate = {});

 private:
  std::string program_;  ///< CompileInputs::program of `experiment_`
  std::optional<Experiment> experiment_;
};

}  // namespace ipusim::run
