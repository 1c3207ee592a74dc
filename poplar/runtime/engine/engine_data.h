// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/ipu/engines/closed_form/system_clock.h"
#include "poplar/detail/engine_api.hpp"
#include "poplar/runtime/engine/codelet_activity.h"
#include "poplar/runtime/engine/codelet_memory.h"
#include "poplar/runtime/engine/engine_files.h"
#include "poplar/runtime/engine/host_call.h"
#include "poplar/runtime/engine/stream_end.h"
#include "poplar/runtime/saved/executable_data.h"
#include "sim/execute/host_access.h"
#include "sim/execute/step_runner.h"

namespace poplar::detail {

/// Reaches the elements of tensors in tile memory.
class TensorAccess {
 public:
  /// Both arguments must outlive this.
  TensorAccess(const ExecutableData& data, ipusim::executor::TileMemories& memories)
      : access_(data.graph, data.executable, memories) {}

  /// The bytes of the elements, row-major, as the device holds them.
  void read(const TensorData& tensor, std::byte* to) { move(tensor.view, to, Direction::Out); }
  void write(const TensorData& tensor, const std::byte* from) {
    move(tensor.view, const_cast<std::byte*>(from), Direction::In);
  }
  void write(const ipusim::Tensor& view, const std::byte* from) {
    move(view, const_cast<std::byte*>(from), Direction::In);
  }
  [[nodiscard]] std::vector<std::byte> read(const TensorData& tensor);
  [[nodiscard]] ipusim::executor::RemoteRows& rows() { return access_.rows(); }

 private:
  enum class Direction : std::uint8_t { In, Out };

  void move(const ipusim::Tensor& view, std::byte* host, Direction direction);
  const std::vector<ipusim::executor::HostRun>& runsOf(const ipusim::Tensor& view);

  ipusim::executor::HostAccess access_;
  /// Runs of the tensors that were reached, by the address of their view.
  std::unordered_map<const ipusim::Tensor*, std::vector<ipusim::executor::HostRun>> known_;
};

/// What exists from the load of an executable on.
struct LoadedProgram {
  LoadedProgram(const ExecutableData& data, std::uint64_t jobs, CyclesFrom from);

  std::optional<ipusim::codelets::LowMemory> low;  ///< of the tiles, where there are codelets
  ipusim::executor::TileMemories memories;
  TensorAccess access;
  std::unique_ptr<CodeletMemory> codelets;  ///< null without codelets
  ipusim::executor::StepRunner runner;
  ipusim::models::SystemClock clock;
  CodeletActivity codelet_activity;
};

struct EngineData : Shared {
  Ref<ExecutableData> executable;
  std::unique_ptr<LoadedProgram> loaded;  ///< null before load()
  std::vector<StreamEnd> streams;         ///< one entry per stream of the graph
  std::vector<HostCall> host_calls;       ///< one entry per host function of the graph
  std::optional<Sink> print;
  bool prefetches = false;
  CyclesFrom cycles_from = CyclesFrom::Code;
  /// How many iterations of a Repeat are computed at most; at least one.
  std::uint64_t functional_steps = ~std::uint64_t{0};
  /// Iterations whose time is that of the last one computed, and whose numbers do not exist.
  std::uint64_t iterations_not_computed = 0;
  ipusim::Cycles profile_begin;  ///< of the clock, when the profile was last reset
  bool records = false;          ///< the clock writes down what runs
  std::string record_file;       ///< where that goes when the engine ends; empty for nowhere
  EngineFiles files{*this};      ///< ends first, while the engine is whole

  [[nodiscard]] const GraphState& state() const { return *executable->state; }
};

}  // namespace poplar::detail
