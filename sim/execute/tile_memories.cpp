// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/tile_memories.h"

#include <algorithm>
#include <new>
#include <string>

#include "ipusim/error.h"

namespace ipusim::executor {

using compiler::Block;
using compiler::Executable;

TileMemories::TileMemories(const Executable& executable, Checking checking)
    : tiles_(executable.system.tiles()) {
  // calloc gives zeros that take no memory until they are touched. A std::vector touches them all.
  fill(executable, [](TileId /*tile*/, Bytes size) {
    Tile made{{static_cast<std::byte*>(std::calloc(size.value(), 1)), Free()}, size.value()};
    if (!made.bytes) throw std::bad_alloc();
    return made;
  });
  if (checking == Checking::Strict) owners_.emplace(executable);
}

TileMemories::TileMemories(const Executable& executable, const Place& place)
    : tiles_(executable.system.tiles()) {
  fill(executable, [&place](TileId tile, Bytes size) {
    return Tile{{place(tile, size), Free{false}}, size.value()};
  });
}

/// Makes the memory of each tile that has blocks, and poisons the blocks that always live.
template <typename MakeTile>
void TileMemories::fill(const Executable& executable, const MakeTile& make) {
  for (const Block& block : executable.lowered.blocks) {
    Tile& tile = tiles_.at(block.tile.tile());
    const Bytes size = executable.memory.tiles.at(block.tile.tile()).highest_address;
    if (block.address + block.bytes > size) {
      throw InternalError("tile " + std::to_string(block.tile.tile()) + ": a block at " +
                          std::to_string(block.address.value()) + " ends past the tile's memory");
    }
    if (tile.size == 0 && size > Bytes(0)) tile = make(block.tile, size);
    if (block.always_live) std::fill_n(at(block), block.bytes.value(), kPoison);
  }
}

void TileMemories::begin(BlockId id, const Block& block) {
  std::fill_n(at(block), block.bytes.value(), kPoison);
  if (owners_) owners_->forget({id, Bytes(0), block.bytes});
}

void TileMemories::end(BlockId id, const Block& block) {
  if (owners_) begin(id, block);
}

}  // namespace ipusim::executor
