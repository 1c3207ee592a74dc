// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "poplar/codelets/codelets.h"
#include "poplar/detail/engine_api.hpp"
#include "poplar/runtime/graph/graph_state.h"
#include "sim/compile/compile.h"

namespace poplar::detail {

/// The steps of the executable that a step of a program became: [first, end).
struct StepRange {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
};

/// Values that a variable of the compiled graph has from the load on.
struct EdgeValues {
  ipusim::Tensor variable;
  std::vector<std::byte> bytes;
};

/// Lets equal vertex types be one.
class SharedTypes {
 public:
  std::shared_ptr<const ipusim::VertexType> of(ipusim::VertexType type);

 private:
  std::map<std::string, std::vector<std::shared_ptr<const ipusim::VertexType>>> by_name_;
};

/// Finds the vertex at a place of the executable.
class InstanceIndex {
 public:
  /// `vertex`, in GraphState::vertices, is the next one on that tile in `steps`.
  void add(const StepRange& steps, std::uint32_t tile, std::uint64_t vertex);
  [[nodiscard]] std::uint64_t vertexAt(const ipusim::VertexPlace& place) const;

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint64_t>> by_step_and_tile_;
};

struct ExecutableData : Shared {
  std::shared_ptr<const GraphState> state;  ///< as it was when the graph was compiled
  ipusim::Graph graph;                      ///< what was compiled; its steps are released
  ipusim::compiler::Executable executable;
  std::vector<Ref<ProgramData>> programs;
  std::vector<Ref<ProgramData>> played;     ///< what is compiled and run of each program
  std::vector<Ref<ProgramData>> functions;  ///< and of each function of the graph
  ipusim::codelets::Codelets codelets;      ///< of all files together
  /// By the program's step; an Execute by its compute set.
  std::unordered_map<const ProgramData*, StepRange> ranges;
  std::map<std::uint64_t, StepRange> compute_sets;
  InstanceIndex instances;
  /// Edges of each vertex of the graph, field by field: the elements behind each pointer.
  std::map<std::uint64_t, std::vector<ipusim::EdgeGroups>> edges;
  std::vector<EdgeValues> edge_values;  ///< constants of edges
  SharedTypes shared_types;

  std::vector<bool> in_use;  ///< by variable of the program's graph

  [[nodiscard]] bool isInUse(const TensorData& tensor) const;
  [[nodiscard]] StepRange rangeOf(const ProgramData& step) const;
};

/// Compiles the programs of `data` on its state; nothing else of `data` is set before. Throws
/// poplar_error: the mistakes of the graph, and graph_memory_allocation_error for a tile that the
/// program does not fit.
void compile(ExecutableData& data);

}  // namespace poplar::detail
