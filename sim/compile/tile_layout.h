// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/compile/executable.h"

namespace ipusim::compiler {

/// What came of placing one tile's blocks.
struct TileLayout {
  Bytes highest_address;  ///< one past the last byte used
  Bytes bytes_over;       ///< past the end of the memory, or of the code region
  MemoryCategory over_category =
      MemoryCategory::Variables;  ///< category of the largest thing that did not fit
};

/// What the address of a block is a multiple of.
Bytes alignmentOf(const Block& block);

/// Sets the address of each block of `ids`, which all lie on one tile. layOut() states the rules.
TileLayout layOutTile(const TileSram& sram, const CategoryBytes& fixed,
                      const std::vector<BlockId>& ids, std::vector<Block>& blocks);

}  // namespace ipusim::compiler
