// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/tile_program.h"
#include "sim/run/simulate.h"

// An experiment and its measurement, written by hand, small enough to add up in the head.

namespace ipusim::run {

/// Two tiles of 1000 bytes at 1 GHz; 600 FLOPs of at most 10 per cycle. The program: exchange "in"
/// (64 bytes), a Repeat of 3 with compute "mul" and copy "keep" in it, exchange "out".
Experiment twoTileExperiment();

/// The cycles that the tiles spend in the five steps: tile 0 ends at 100, tile 1 at 120.
ChipResult twoTileMeasurement();

/// The measurement as a result, with the engine and its wall time.
RunResult twoTileResult();

/// The reason why a program does not fit tile 1, for results made by hand.
OutOfMemory tileOneIsFull();

}  // namespace ipusim::run
