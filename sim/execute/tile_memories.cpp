// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/tile_memories.h"

#include <algorithm>
#include <string>

#include "ipusim/error.h"

namespace ipusim::checker {

using compiler::Block;
using compiler::Executable;

TileMemories::TileMemories(const Executable& executable) : tiles_(executable.machine.tiles) {
  for (const Block& block : executable.blocks) {
    std::vector<std::byte>& tile = tiles_.at(block.tile.tile());
    const Bytes size = executable.memory.tiles.at(block.tile.tile()).highest_address;
    if (block.address + block.bytes > size) {
      throw InternalError("tile " + std::to_string(block.tile.tile()) + ": a block at " +
                          std::to_string(block.address.value()) + " ends past the tile's memory");
    }
    if (tile.empty()) tile.assign(size.value(), kPoison);
  }
}

void TileMemories::poison(const Block& block) {
  std::fill_n(at(block), block.bytes.value(), kPoison);
}

}  // namespace ipusim::checker
