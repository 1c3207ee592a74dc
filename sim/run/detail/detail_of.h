// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/compile/executable.h"
#include "sim/run/detail/first_iterations.h"
#include "sim/run/detail/program_detail.h"
#include "sim/run/detail/tile_bands.h"
#include "sim/run/measure.h"

namespace ipusim::run {

/// Makes the detail of a run. `heard` is null where no observer heard the engine.
ProgramDetail detailOf(const compiler::Executable& executable, const Measured& measured,
                       const TileBands& bands, const FirstIterations* heard);

// The parts of a detail, to be called one by one.

/// The vertices of a step by type.
std::vector<VertexGroup> vertexGroups(const compiler::Step& step, const Machine& machine);
/// Fills in what tiles send and receive, in `detail` and step by step.
void addTraffic(const compiler::Executable& executable, const TileBands& bands,
                ProgramDetail& detail);
/// Fills in the operations: the layers with these names, and what other steps begin with.
/// `iterations` has one entry per step.
void addOperations(const compiler::Executable& executable, const std::vector<std::string>& layers,
                   const std::vector<std::uint64_t>& iterations, ProgramDetail& detail);
/// Fills in the layouts of the tiles.
void addLayouts(const compiler::Executable& executable, ProgramDetail& detail);

}  // namespace ipusim::run
