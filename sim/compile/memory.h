// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/compile/executable.h"

namespace ipusim::compiler {

/// Gives every block of `lowered` its address. `fixed` holds, for each tile, the always-live bytes
/// that are no blocks: code, vertex state, stack.
///
/// A tile's memory is one range of addresses. Code and stack come first and must end within the
/// code region; the tables behind them follow. Each block then takes the lowest place where it
/// meets no block that is live at the same time: the always-live ones first, then what must be
/// interleaved, then the larger before the smaller. What is left between them are gaps. A block
/// that finds no place is put past the end, and the tile does not fit.
Placed layOut(Lowered& lowered, const TileSram& sram, const std::vector<CategoryBytes>& fixed);

/// For each tile the always-live bytes that are no blocks: code and tables of the vertices,
/// exchanges and steps it takes part in, and its stacks. `exchange_code` has one entry per tile.
std::vector<CategoryBytes> fixedBytes(const Lowered& lowered,
                                      const std::vector<ExchangeCode>& exchange_code,
                                      const CodeSizes& sizes);

}  // namespace ipusim::compiler
