// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <vector>

#include "poplar/runtime/graph/writers.h"
#include "poplar/runtime/saved/executable_data.h"

namespace poplar::detail {

/// Makes the graph of the project from a program's graph: what the programs run, each step once.
class Builder {
 public:
  explicit Builder(ExecutableData& data) : data_(data), state_(*data.state) {}

  /// Throws graph_connection_error for a field without data, and invalid_tile_mapping for a vertex
  /// or an element in use without a tile.
  void run();

 private:
  /// A step of the graph's program: what it stands for, and whether it has any steps.
  struct Leaf {
    const ProgramData* program;
    std::uint64_t compute_set;
  };

  void visit(const ProgramData& program);
  static ipusim::Shape shapeOf(const ipusim::Variable& variable);
  void addVariables();
  void addStep(const ProgramData& program);
  ipusim::Program libraryStep(const ProgramData& program);
  void addExecute(const ProgramData& program);
  void addVertex(ipusim::ComputeSetId compute_set, std::uint64_t number, Writers& writers);
  void use(const TensorData& tensor);
  void use(const ipusim::View& view);
  void useAllOf(const ProgramData& program);
  void useAllOf(const Vertex& vertex);
  void checkMappings() const;
  void setRanges(const std::vector<std::uint32_t>& step_ends);
  void addInstances();

  ExecutableData& data_;
  const GraphState& state_;
  std::set<const ProgramData*> visited_;
  std::vector<const ProgramData*> steps_;  ///< those that were met, in order
  std::vector<Leaf> leaves_;
  std::set<std::uint64_t> executed_;
  /// Variables with elements that two edges of a compute set write: others may keep a value that
  /// the sum of all edges hides.
  std::set<ipusim::VariableId> written_twice_;
};

}  // namespace poplar::detail
