// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/compile/executable.h"
#include "workloads/graph/mapping_index.h"

namespace ipusim::compiler {

/// A part of a view that lies in one tile's share of a variable.
struct ViewPart {
  VariableId variable;
  TileId tile;
  Walk<Ends<ShareElements, PackedElements>> walk;
};

/// Turns a walk over elements of `element` bytes into a walk over bytes.
template <typename From, typename To>
Walk<BlockOffsets> inBytes(const Walk<Ends<From, To>>& walk, Bytes element) {
  return converted<BlockOffsets>(walk, [element](const Ends<From, To>& ends) {
    return BlockOffsets{element * ends.from.value(), element * ends.to.value()};
  });
}

/// The tiles of all IPUs that a graph is mapped to: tile t of IPU i has the number i *
/// tiles_per_ipu + t.
struct TileSpace {
  std::uint32_t ipus;
  std::uint32_t tiles_per_ipu;

  [[nodiscard]] std::uint32_t tiles() const { return ipus * tiles_per_ipu; }
  [[nodiscard]] std::uint32_t ipuOf(TileId tile) const { return tile.tile() / tiles_per_ipu; }
};

/// The blocks of tile memory that hold the graph's data. Each variable has one share on each tile
/// that it is mapped to. Lowering adds the message buffers that it needs.
class Placement {
 public:
  Placement(const Graph& graph, const TileSpace& space);

  [[nodiscard]] const TileSpace& space() const { return space_; }

  [[nodiscard]] const MappingIndex& mapping(VariableId variable) const {
    return mappings_[indexOf(variable)];
  }
  /// The interval that holds an element. Quickest where the look-ups follow the elements. No two
  /// threads may call this at once.
  [[nodiscard]] const MappedInterval& intervalAt(VariableId variable, std::uint64_t element) const {
    return cursors_[indexOf(variable)].at(element);
  }
  /// kNoBlock where the variable has no element on the tile.
  [[nodiscard]] BlockId share(VariableId variable, TileId tile) const {
    return share_of_[indexOf(variable)][tile.tile()];
  }
  [[nodiscard]] Bytes elementBytes(VariableId variable) const {
    return element_bytes_[indexOf(variable)];
  }
  /// `view` cut where it passes from one tile's share to another. The parts have no special order.
  [[nodiscard]] std::vector<ViewPart> partsOf(const View& view) const;
  BlockId addBuffer(TileId tile, Bytes bytes);

  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  [[nodiscard]] Block& block(BlockId id) { return blocks_[indexOf(id)]; }

  /// Moves the blocks into `lowered`.
  void moveInto(Lowered& lowered);

  /// Whether the two blocks are on different IPUs.
  [[nodiscard]] bool areOnDifferentIpus(BlockId a, BlockId b) const {
    return space_.ipus > 1 &&
           space_.ipuOf(blocks_[indexOf(a)].tile) != space_.ipuOf(blocks_[indexOf(b)].tile);
  }

 private:
  [[nodiscard]] std::vector<BlockId> numberShares(const MappingIndex& mapping,
                                                  const std::string& name, std::size_t& next) const;
  void addShares(const Variable& variable, VariableId id);

  TileSpace space_;
  std::vector<MappingIndex> mappings_;
  mutable std::vector<IntervalCursor> cursors_;  ///< one entry per variable
  std::vector<Bytes> element_bytes_;
  std::vector<std::vector<BlockId>> share_of_;
  std::vector<Block> blocks_;
};

}  // namespace ipusim::compiler
