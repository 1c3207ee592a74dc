// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/config_reader.h"
#include "sim/compile/compile.h"
#include "sim/run/compare.h"
#include "sim/run/run_result.h"
#include "workloads/sources/workload.h"

// The one door to the simulator: config in, result out.

namespace ipusim::run {

/// A config that has been read, built and compiled.
struct Experiment {
  std::string config;                 ///< as read, overrides applied: JSON
  std::optional<ConfigReader> sizes;  ///< the table of the workload, for errors that name a key
  std::string workload_kind;
  /// The other keys of the workload, in the order of the file.
  std::vector<std::pair<std::string, std::string>> parameters;
  workloads::BuiltWorkload workload;
  bool copies_by_framework = false;  ///< host copies go through a framework
  std::optional<CompareOptions> compare;
  std::shared_ptr<Experiment> dense;  ///< where the workload has a dense layer to be held against
  compiler::Executable executable;
};

/// Reads the whole of `config`. Throws ConfigError for anything in it that is wrong, unknown or too
/// large for this computer.
Experiment prepare(const ConfigReader& config);

/// Throws ConfigError where `engine` cannot run on the machine of `config`: exchange = "bound" is
/// the closed form's alone.
void expectPlayable(const ConfigReader& config, Engine engine);

/// Not to be called from two threads with Engine::SystemC, nor for a config that is not playable.
/// Throws ConfigError where cycles, bytes or work are more than can be counted.
RunResult simulate(const Experiment& experiment, Engine engine);

/// Both in one go.
RunResult simulate(const ConfigReader& config, Engine engine);

}  // namespace ipusim::run
