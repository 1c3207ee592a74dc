// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ipusim/graph.h"
#include "ipusim/reference.h"
#include "sim/compile/executable.h"
#include "sim/execute/tile_memories.h"

namespace ipusim::executor {

/// The buffer of a row that the host reaches. Throws GraphError, which names the row, unless the
/// graph has that buffer and the buffer that row.
const RemoteBuffer& bufferOf(const Graph& graph, const HostRow& row);

/// The rows of all remote buffers. A row takes space on this computer from when it is first
/// written.
class RemoteRows {
 public:
  RemoteRows(const compiler::Executable& executable, TileMemories& memories)
      : blocks_(executable.lowered.blocks), memories_(memories) {}

  /// Moves the row of a step of StepKind::RemoteBegin. Throws GraphError, which names the step,
  /// where its buffer has no such row and where it loads a row that was not written.
  void move(const compiler::Step& step);
  /// Writes `values`, rounded to the type of the buffer, to the row. Throws GraphError, which names
  /// the row, unless there is such a row and a value for each of its elements.
  void write(const Graph& graph, const HostRow& row, const TensorValues& values);
  /// Throws GraphError, which names the row, where it is not there or was not written.
  [[nodiscard]] TensorValues read(const Graph& graph, const HostRow& row) const;
  /// The bytes of a row, as they are. A row that was not written reads as zeros.
  void writeBytes(RemoteBufferId buffer, std::uint64_t row, const std::byte* from,
                  std::size_t bytes);
  void readBytes(RemoteBufferId buffer, std::uint64_t row, std::byte* to, std::size_t bytes) const;

 private:
  [[nodiscard]] std::uint64_t rowOf(const compiler::Step& step);
  void movePart(const compiler::RowCopy& copy, const compiler::RowPart& part, std::byte* row,
                const std::string& name);

  const std::vector<compiler::Block>& blocks_;
  TileMemories& memories_;
  std::map<std::pair<RemoteBufferId, std::uint64_t>, std::vector<std::byte>> rows_;
};

}  // namespace ipusim::executor
