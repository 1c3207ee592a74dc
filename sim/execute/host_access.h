// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/graph.h"
#include "ipusim/reference.h"
#include "sim/execute/tile_memories.h"

namespace ipusim::checker {

using Values = TensorValues;

/// The host's way to the data of a compiled graph.
class HostAccess {
 public:
  /// All arguments must outlive this.
  HostAccess(const Graph& graph, const compiler::Executable& executable, TileMemories& memories)
      : graph_(graph), executable_(executable), memories_(memories) {}

  /// Gives the constants of the graph their values.
  void loadConstants();
  /// Puts `values` where the tensor's elements live, rounded to its type. Throws GraphError
  /// unless there is one for each element, and for a tensor of variables that do not live always.
  void write(const HostTensor& tensor, const Values& values);
  [[nodiscard]] Values read(const HostTensor& tensor);

 private:
  template <typename Element>
  void forEachElement(const HostTensor& tensor, const Element& element);

  const Graph& graph_;
  const compiler::Executable& executable_;
  TileMemories& memories_;
};

}  // namespace ipusim::checker
