// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/config/config_reader.h"
#include "ipusim/observer.h"
#include "models/ipu/machine/system.h"
#include "sim/compile/compile.h"
#include "sim/run/compare.h"
#include "sim/run/host_cost.h"
#include "sim/run/measure.h"
#include "sim/run/run_result.h"
#include "workloads/sources/workload.h"

// A program on one IPU or a system: config in, result out. sim/answer reads which kind of run a
// config is.

namespace ipusim::run {

/// What layers that are programs of their own are compiled for, and who learns of the work.
struct LayerTarget {
  System system;
  OnWorkEstimate on_estimate;
};

/// A config that has been read, built and compiled.
struct Experiment {
  ConfigValues config;                ///< all of the config
  std::optional<ConfigReader> sizes;  ///< the table of the workload, for errors that name a key
  std::string workload_kind;
  /// The other keys of the workload, in the order of the file.
  std::vector<std::pair<std::string, std::string>> parameters;
  workloads::BuiltWorkload workload;  ///< its `flops` are set
  bool copies_by_framework = false;   ///< a framework makes the host copies
  std::optional<CompareOptions> compare;
  std::shared_ptr<Experiment> dense;  ///< set when the workload is compared with a dense one
  std::optional<LayerTarget> layers;  ///< set for a workload with separate programs
  compiler::Executable executable;    ///< for separate programs: without steps
};

/// A config that has been read and built, and not compiled.
struct BuiltConfig {
  std::string workload_kind;
  workloads::BuiltWorkload workload;  ///< the program of its graph is complete
  System system;
};

/// Reads all of `config` and builds its graph. Throws ConfigError for anything in it that is wrong,
/// unknown or too large for this computer.
BuiltConfig build(const ConfigReader& config);

/// Reads all of `config`, builds and compiles it. Throws ConfigError for anything in it that is
/// wrong, unknown or too large for this computer. `on_estimate`, if any, is called once per graph,
/// between building and compiling it, with the work of all graphs up to then; what it throws
/// passes. Layers that are programs of their own are compiled later: what `on_estimate` refers to
/// must live as long.
Experiment prepare(const ConfigReader& config, const OnWorkEstimate& on_estimate = {});

/// Builds and compiles each different program of the layers of `experiment` when its turn comes, so
/// that one is in memory at a time, and gives `use` the index of its first layer and the program.
using UseLayer = std::function<void(std::size_t layer, const Experiment& program)>;
void forEachLayer(const Experiment& experiment, const UseLayer& use);

/// Throws ConfigError when `engine` cannot run the machine of `config`: only the closed form can
/// run exchange = "bound".
void expectPlayable(const ConfigReader& config, Engine engine);

/// Whether a result has its ProgramDetail. A run whose layers are programs of their own has none.
enum class Detail : std::uint8_t { Without, With };

/// What a simulation does besides giving its result.
struct SimulateOptions {
  Observer* observer = nullptr;  ///< hears the chip of the config, and not that of a dense workload
  SimulatedChips chips = SimulatedChips::Distinct;
  Detail detail = Detail::Without;
  std::optional<models::WaveFile> waves;  ///< of one IPU with one program, on Engine::SystemC
};

/// With Engine::SystemC, must not be called from two threads, nor for a config that
/// expectPlayable() refuses. Throws ConfigError when cycles, bytes or work do not fit 64 bits.
RunResult simulate(const Experiment& experiment, Engine engine,
                   const SimulateOptions& options = {});

/// Prepares and simulates `config`.
RunResult simulate(const ConfigReader& config, Engine engine);

}  // namespace ipusim::run
