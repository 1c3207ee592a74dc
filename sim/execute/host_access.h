// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ipusim/graph.h"
#include "ipusim/reference.h"
#include "sim/execute/remote_rows.h"
#include "sim/execute/tile_memories.h"

namespace ipusim::executor {

using Values = TensorValues;

/// Elements at equal distances, both in a tensor and in tile memory.
struct HostRun {
  std::uint64_t count;
  std::uint64_t index;  ///< row-major index of the first element in the tensor
  std::uint64_t index_stride;
  BlockId block;
  Bytes offset;  ///< offset of the first element in its block
  Bytes stride;
};

/// The host's access to the data of a compiled graph.
class HostAccess {
 public:
  /// All arguments must outlive this.
  HostAccess(const Graph& graph, const compiler::Executable& executable, TileMemories& memories)
      : graph_(graph), executable_(executable), memories_(memories), rows_(executable, memories) {}

  /// Gives the constants of the graph their values.
  void loadConstants();
  /// Writes `values` to the places of the tensor's elements, rounded to the tensor's type. Throws
  /// GraphError unless there is one value per element, and for a tensor of variables that do not
  /// live always.
  void write(const HostTensor& tensor, const Values& values);
  [[nodiscard]] Values read(const HostTensor& tensor);
  /// Where the elements of a tensor lie while its variables live, which is up to the caller.
  [[nodiscard]] std::vector<HostRun> runsOf(const HostTensor& tensor);
  /// The first byte of the run in tile memory.
  [[nodiscard]] std::byte* at(const HostRun& run);
  /// As of RemoteRows.
  void write(const HostRow& row, const Values& values) { rows_.write(graph_, row, values); }
  [[nodiscard]] Values read(const HostRow& row) const { return rows_.read(graph_, row); }
  /// The rows that a run of the executable begins and ends with.
  [[nodiscard]] RemoteRows& rows() { return rows_; }

 private:
  void expectReachable(const HostTensor& tensor) const;
  template <typename Use>
  void forEachRunOf(const HostTensor& tensor, const Use& use);
  void put(ElementType type, const Values& values, const HostRun& run);

  const Graph& graph_;
  const compiler::Executable& executable_;
  TileMemories& memories_;
  RemoteRows rows_;
};

}  // namespace ipusim::executor
