// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ipusim/units.h"
#include "poplar/tile_compiler/function.h"
#include "poplar/tile_compiler/instruction.h"
#include "poplar/tile_compiler/tile_compiler.h"

namespace ipusim::tile_compiler {

/// Issue slots of one worker. With all workers busy, a slot is a turn of six cycles.
using Slots = Count<struct SlotsTag>;

/// Slots of one line of the source.
struct LineSlots {
  std::uint32_t line = 0;
  Slots slots;
};

/// What instructions do besides taking slots. Loads and stores have the widths of the tile's
/// instructions; those of the stack count.
struct Work {
  /// Sums, differences, products, quotients, extremes, roots and functions, one an element. There
  /// is no fused form: a multiply-add is a product and a sum.
  Flops flops;
  Bytes loaded;
  Bytes stored;

  Work& operator+=(const Work& other) {
    flops += other.flops;
    loaded += other.loaded;
    stored += other.stored;
    return *this;
  }
};

/// A stretch of code that runs from its first instruction to its last.
struct CompiledBlock {
  BlockId source = 0;
  Role role = Role::Whole;
  std::optional<ValueId> condition;  ///< of the select whose value the role names
  std::string sequence;              ///< a letter an issue: M main, A aux, B both
  unsigned main = 0;                 ///< instructions, fillers included
  unsigned aux = 0;
  unsigned bundles = 0;
  Slots slots;  ///< of the whole stretch, slow instructions in full
  Work work;    ///< of the whole stretch
  std::vector<LineSlots> lines;
};

struct CompiledFunction {
  std::vector<CompiledBlock> blocks;
  Bytes code;
  Bytes stack;
};

/// What the tile's compiler makes of a function: choice of instructions, order, registers, frame,
/// bundles.
CompiledFunction compileForTile(const Function& function, const TileCompiler& compiler);

}  // namespace ipusim::tile_compiler
