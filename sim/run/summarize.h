// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/ipu/program/tile_program.h"
#include "sim/run/result.h"
#include "sim/run/simulate.h"

namespace ipusim::run {

/// What the experiment's memory map and the measured cycles say. Leaves `engine.kind` and
/// `engine.wall_seconds` alone.
RunResult summarize(const Experiment& experiment, const models::ChipResult& measured);

// Its parts, callable one by one.

/// A tile each.
std::vector<TileResult> summarizeTiles(const compiler::Executable& executable,
                                       const models::ChipResult& measured);
MemoryResult summarizeMemory(const std::vector<TileResult>& tiles);
TimeResult summarizeTime(const std::vector<TileResult>& tiles, Cycles end, double clock_hz);
/// A step each, in program order.
std::vector<StepResult> summarizeSteps(const compiler::Executable& executable,
                                       const models::ChipResult& measured);

}  // namespace ipusim::run
