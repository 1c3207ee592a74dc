// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "poplar/tile_compiler/instruction.h"

namespace ipusim::tile_compiler {

/// `to` follows `from` by at least `latency` cycles.
struct Edge {
  std::size_t to = 0;
  unsigned latency = 0;
};

/// What must follow what among the instructions [begin, end) of a block; index 0 is `begin`.
struct Dependences {
  std::vector<std::vector<Edge>> successors;
  std::vector<unsigned> predecessors;  ///< how many
  std::vector<unsigned> heights;       ///< the longest path to the end, in cycles
};
Dependences dependencesOf(const MachineFunction& function, const MachineBlock& block,
                          std::size_t begin, std::size_t end);

/// True when two accesses may touch the same bytes.
bool mayOverlap(const MemoryAccess& a, const MemoryAccess& b);

}  // namespace ipusim::tile_compiler
