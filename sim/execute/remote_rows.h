// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/compile/executable.h"
#include "sim/execute/tile_memories.h"

namespace ipusim::checker {

/// The rows of all remote buffers, which live as long as the run. A row takes space on this
/// computer from its first store on.
class RemoteRows {
 public:
  RemoteRows(const compiler::Executable& executable, TileMemories& memories)
      : blocks_(executable.blocks), memories_(memories) {}

  /// Moves the row of a step of StepKind::RemoteBegin. Throws GraphError, which names the step,
  /// where its buffer has no such row and where it loads a row that was not stored.
  void move(const compiler::Step& step);

 private:
  [[nodiscard]] std::uint64_t rowOf(const compiler::Step& step);
  void movePart(const compiler::RowCopy& copy, const compiler::RowPart& part, std::byte* row,
                const std::string& name);

  const std::vector<compiler::Block>& blocks_;
  TileMemories& memories_;
  std::map<std::pair<RemoteBufferId, std::uint64_t>, std::vector<std::byte>> rows_;
};

}  // namespace ipusim::checker
