// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/process/workers.h"
#include "sim/execute/by_tile.h"
#include "sim/execute/family_data.h"
#include "sim/execute/remote_rows.h"
#include "sim/execute/tile_memories.h"

namespace ipusim::executor {

/// Computes a vertex whose type has no cost function, and returns what it took. Worker: issue
/// slots. Supervisor: tile cycles. Calls for different tiles may come at the same time.
using MeasureVertex = std::function<Cycles(const VertexData& data, const VertexPlace& place)>;

/// Hears what such a vertex took. `run` counts the VertexRuns of the tile in the step, where the
/// vertex has one for itself. Calls for different tiles may come at the same time.
using OnCycles = std::function<void(const VertexPlace& place, std::uint32_t run, Cycles cycles)>;

/// Runs single steps of an executable with numbers.
class StepRunner {
 public:
  /// All but `measure` must outlive this. `jobs` threads share the tiles. Without `measure`, such
  /// vertices compute as all others do.
  StepRunner(const compiler::Executable& executable, TileMemories& memories, RemoteRows& rows,
             std::uint64_t jobs, MeasureVertex measure = {});

  /// Throws InternalError where an edge leaves its block, and what the vertices throw. `on_cycles`
  /// may be empty.
  void run(StepId id, const OnCycles& on_cycles = {});

 private:
  void runTile(StepId id, const TilePieces& pieces, FamilyData& data, const OnCycles& on_cycles);

  const compiler::Executable& executable_;
  TileMemories& memories_;
  RemoteRows& rows_;
  Workers workers_;
  MeasureVertex measure_;
  std::vector<std::optional<PiecesByTile>> pieces_;  ///< per step, filled when it first runs
  std::vector<FamilyData> data_;                     ///< one entry per thread
};

}  // namespace ipusim::executor
