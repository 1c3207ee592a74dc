// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "poplar/runtime/graph/graph_state.h"

namespace poplar::detail {

/// Steps that operations of this project's own library add to the graph of a program: they make
/// variables, compute sets and copies, which the program then has beside its own.
class LibrarySteps {
 public:
  /// `graph` must outlive this.
  explicit LibrarySteps(GraphData& graph) : state_(*graph.state) {}

  [[nodiscard]] ipusim::Graph& graph() { return state_.variables; }
  [[nodiscard]] const ipusim::Machine& machine() const { return state_.machine; }
  /// What the operations add their steps to.
  [[nodiscard]] ipusim::Program& program() { return program_; }

  /// The tensor as the operations see it.
  [[nodiscard]] static ipusim::Tensor viewOf(const TensorData& tensor);
  /// A tensor of an operation as the program sees it. Gives away a new reference.
  [[nodiscard]] TensorData* tensor(const ipusim::Tensor& view, TypeId type) const;
  /// The steps as one of the program's. Gives away a new reference. Nothing may be added after.
  [[nodiscard]] ProgramData* finish();

 private:
  void registerVariables();
  [[nodiscard]] Ref<ProgramData> converted(const ipusim::Program& program) const;
  [[nodiscard]] Ref<ProgramData> converted(const ipusim::Sequence& sequence) const;
  [[nodiscard]] Ref<ProgramData> undefOf(ipusim::VariableId id) const;

  GraphState& state_;
  ipusim::Program program_;
};

/// Throws poplar_error for a graph that is not all the tiles of one IPU, for an operation `what`
/// that chooses its tiles itself.
void checkIsWholeIpu(const GraphData& graph, const std::string& what);

}  // namespace poplar::detail
