// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/tile_program.h"

// A chip of many supersteps, and bare SystemC with as many processes and waits. The bare loop only
// wakes its processes up: it has one process per tile and one wait per step, and all tiles are in
// step. The chip runs supersteps of compute, sync and exchange, and its tiles drift apart.

namespace ipusim::bench {

constexpr std::uint32_t kTiles = 1472;  // as on a GC200
constexpr std::uint32_t kSupersteps = 667;
constexpr std::uint32_t kSteps = 3 * kSupersteps;  // a superstep has Compute, Sync and Exchange
constexpr std::uint64_t kTileSteps = std::uint64_t{kTiles} * kSteps;

/// The timing of configs/machines/gc200.toml, with the sync controller in the corner.
ChipTiming gc200Timing();

const ChipPrograms& supersteps();

void bareMethods();
void bareThreads();

}  // namespace ipusim::bench
