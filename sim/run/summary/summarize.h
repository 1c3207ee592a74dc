// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "ipusim/tile_program.h"
#include "sim/run/measure.h"
#include "sim/run/run_result.h"
#include "sim/run/simulate.h"

namespace ipusim::run {

/// Makes the result of an experiment from its memory map and the measured cycles. Leaves
/// `engine.kind` and `engine.wall_seconds` unset.
RunResult summarize(const Experiment& experiment, const Measured& measured);

/// Fills in what the result of an experiment has beside its graph, memory, time, steps and layers.
void addExperiment(const Experiment& experiment, RunResult& result);

/// Makes the result of any run of a graph. Leaves `work`, `engine.kind` and `engine.wall_seconds`
/// unset.
Result summarizeRun(const Graph& graph, const compiler::Executable& executable,
                    const Measured& measured);

// The parts of the result, to be called one by one.

GraphCounts countsOf(const compiler::Executable& executable);
/// The tile that is furthest over, and the largest variable that it holds when it is fullest.
/// Nothing when all tiles fit.
std::optional<OutOfMemory> outOfMemory(const Graph& graph, const compiler::Executable& executable);
/// One entry per tile.
std::vector<TileResult> summarizeTiles(const compiler::Executable& executable,
                                       const ChipResult& measured);
/// The parts of each IPU, and what the links carried. Counts as sync what `tiles` waited for other
/// IPUs. Nothing for a single IPU.
std::optional<SystemResult> summarizeSystem(const compiler::Executable& executable,
                                            const Measured& measured,
                                            const std::vector<StepResult>& steps,
                                            std::vector<TileResult>& tiles);
MemoryResult summarizeMemory(const std::vector<TileResult>& tiles);
TimeResult summarizeTime(const std::vector<TileResult>& tiles, Cycles end, double clock_hz);
/// None where all tiles are in use, or none is, and on several IPUs.
std::optional<TilesInUse> summarizeInUse(const compiler::Executable& executable,
                                         const ChipResult& measured,
                                         const std::vector<TileResult>& tiles);
/// One entry per step, in program order.
std::vector<StepResult> summarizeSteps(const compiler::Executable& executable,
                                       const ChipResult& measured);
std::vector<ProgramNode> summarizeProgram(const std::vector<compiler::Control>& control);
/// One entry per variable of the graph that was compiled.
std::vector<VariableResult> summarizeVariables(const Graph& graph,
                                               const compiler::Executable& executable);

}  // namespace ipusim::run
