// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "ipusim/tile_program.h"

namespace ipusim::report {

/// Equal vertices that follow one another on a context of a tile.
struct ContextSlice {
  std::uint32_t context;  ///< the number of workers stands for the supervisor
  std::uint64_t vertices;
  Cycles begin;
  Cycles end;
};

/// Tells which vertices the contexts of a tile run in a Compute that begins at `now`, by the rule
/// of ChipPrograms. Returns when the Compute ends. A context that has run a vertex waits for the
/// supervisor to launch the next one; a slice has that time in it. The cost of a run of vertices
/// does not grow with their number.
Cycles contextSlices(const ChipTiming& timing, const VertexRun* first, const VertexRun* last,
                     Cycles now, const std::function<void(const ContextSlice&)>& use);

}  // namespace ipusim::report
