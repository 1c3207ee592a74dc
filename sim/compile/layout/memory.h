// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/compile/executable.h"

namespace ipusim::compiler {

/// Gives every block of `lowered` its address. `fixed` holds, for each tile, the always-live bytes
/// that are in no block: code, vertex state, stack.
///
/// A tile's memory is one range of addresses. Code and stack come first and must end within the
/// code region. The tables behind the code follow. Each block then takes the lowest place where it
/// meets no block that is live at the same time. Always-live blocks go first, then blocks that must
/// be interleaved, then larger blocks before smaller ones. The bytes left between blocks are gaps.
/// A block that finds no place is put past the end, and the tile does not fit.
MemoryMap layOut(Lowered& lowered, const TileSram& sram, const std::vector<CategoryBytes>& fixed);

/// The always-live bytes of each tile that are in no block: code and tables of the vertices,
/// exchanges and steps that the tile takes part in, headers of packets, and its stacks.
/// `exchange_code` has one entry per tile.
std::vector<CategoryBytes> fixedBytes(const Lowered& lowered,
                                      const std::vector<ExchangeCode>& exchange_code,
                                      const System& system);

}  // namespace ipusim::compiler
