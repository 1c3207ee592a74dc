// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/compile/executable.h"
#include "workloads/graph/mapping_index.h"

namespace ipusim::compiler {

using workloads::cutBySide;
using workloads::CutMove;
using workloads::MappingIndex;
using workloads::packingMoves;
using workloads::Side;

/// The blocks of tile memory that hold the graph's data: a share of each variable on each tile
/// that it is mapped to, and the message buffers that lowering asks for.
class Placement {
 public:
  Placement(const workloads::Graph& graph, std::uint32_t tiles);

  [[nodiscard]] const MappingIndex& mapping(VariableId variable) const {
    return mappings_[indexOf(variable)];
  }
  /// kNoBlock where the variable has no element on the tile.
  [[nodiscard]] BlockId share(VariableId variable, TileId tile) const {
    return share_of_[indexOf(variable)][tile.tile()];
  }
  [[nodiscard]] Bytes elementBytes(VariableId variable) const {
    return element_bytes_[indexOf(variable)];
  }
  BlockId addBuffer(TileId tile, Bytes bytes);

  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  [[nodiscard]] Block& block(BlockId id) { return blocks_[indexOf(id)]; }

  /// Hands the blocks over.
  void moveInto(Executable& executable);

 private:
  std::vector<MappingIndex> mappings_;
  std::vector<Bytes> element_bytes_;
  std::vector<std::vector<BlockId>> share_of_;
  std::vector<Block> blocks_;
};

}  // namespace ipusim::compiler
