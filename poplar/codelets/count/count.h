// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ipusim/units.h"
#include "poplar/tile_compiler/compile.h"

// Issue slots of compiled codelets: LLVM's code of a codelet is optimised as the tile's compiler
// does it, each basic block is given its slots on the tile, and each block counts how often it
// runs.

namespace llvm {
class Module;
}  // namespace llvm

namespace ipusim::codelets {

using tile_compiler::Slots;

/// Slots that a line of the source takes in one pass.
struct LineShare {
  std::string file;
  std::uint32_t line = 0;  ///< 0: none is known
  Slots slots;
};

/// Something that is counted while codelets run: a pass of a basic block, the second value of a
/// select, a bit of a quotient. A vertex takes the sum of counts times slots.
struct Counter {
  std::string function;           ///< its symbol
  Slots slots;                    ///< of one count
  tile_compiler::Work work = {};  ///< of one count
  std::vector<LineShare> lines;
};

/// A function on the tile.
struct FunctionSize {
  std::string symbol;
  Bytes code;
  Bytes stack;                       ///< its own frame
  std::vector<std::string> callees;  ///< symbols; routines of the tile's library are not among them
};

struct CountedModule {
  std::vector<Counter> counters;  ///< in the order of kCountsSymbol's entries
  std::vector<FunctionSize> functions;
};

/// The name of the array of 64-bit counts in the counted code. It is absent where nothing counts.
constexpr const char* kCountsSymbol = "__ipusim_block_counts";

enum class OptimisationLevel : std::uint8_t { O0, O1, O2, O3 };
enum class Vectorise : std::uint8_t { Off, On };

struct CountOptions {
  OptimisationLevel level = OptimisationLevel::O2;
  Vectorise vectorise = Vectorise::On;
  tile_compiler::TileCompiler compiler = {tile_compiler::CoIssue::Pairs,
                                          tile_compiler::StackCheck::On};
  /// Symbols of the compute functions of vertices that workers run.
  std::vector<std::string> entries;
  /// Symbols of those that a supervisor runs: it has one lane, and calls routines for floats.
  std::vector<std::string> supervisors;
};

/// The options of popc, the vendor's front end, at a level.
CountOptions popcOptions(OptimisationLevel level, std::vector<std::string> entries);

/// Optimises the code of a module and adds counters to it.
CountedModule countBlocks(llvm::Module& module, const CountOptions& options);

}  // namespace ipusim::codelets
