// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "poplar/detail/engine_api.hpp"
#include "sim/codelets/codelets.h"
#include "sim/compile/compile.h"
#include "sim/poplar/graph_state.h"

namespace poplar::detail {

/// The steps of the executable that a step of a program became: [first, end).
struct StepRange {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
};

/// A codelet of the compiled graph, in the order of the vertices of the graph.
struct CodeletInstance {
  std::uint64_t vertex;  ///< in GraphState::vertices
  std::size_t type;      ///< in Codelets::vertices()
};

/// Finds the codelet at a place of the executable.
class InstanceIndex {
 public:
  /// `vertices` are those of a compute set that runs in `steps`.
  void add(const StepRange& steps, std::uint32_t tile, std::uint64_t vertex);
  /// `index` counts the vertices of the tile in the step.
  [[nodiscard]] std::uint64_t vertexAt(const ipusim::VertexPlace& place) const;

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint64_t>> by_step_and_tile_;
};

struct ExecutableData : Shared {
  std::shared_ptr<const GraphState> state;  ///< as it was when the graph was compiled
  ipusim::Graph graph;                      ///< what was compiled; its steps are released
  ipusim::compiler::Executable executable;
  std::vector<Ref<ProgramData>> programs;
  ipusim::codelets::Codelets codelets;  ///< of all files together
  /// By the program's step; an Execute by its compute set.
  std::unordered_map<const ProgramData*, StepRange> ranges;
  std::map<std::uint64_t, StepRange> compute_sets;
  InstanceIndex instances;

  [[nodiscard]] StepRange rangeOf(const ProgramData& step) const;
};

}  // namespace poplar::detail
