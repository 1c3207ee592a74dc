// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/machine.h"
#include "models/ipu/cost/reductions/reduce.h"

namespace ipusim::workloads {

/// The size of a reduction over tiles.
struct ReductionSize {
  std::uint64_t columns;         ///< number of outputs
  std::uint64_t partials;        ///< partials of the column that has most
  ElementType type;              ///< type of the partials
  std::uint64_t result_columns;  ///< outputs of the tile that holds most of them
  models::ReduceOp op = models::ReduceOp::Add;
};

/// Where the last stage computes.
enum class LastStage : std::uint8_t {
  AtResult,  ///< on the tiles of the outputs
  Spread,    ///< on all tiles, which then send the outputs to where they lie
};

/// How many partials an intermediate stage leaves per column, stage by stage, and where the last
/// stage is.
struct ReductionStages {
  std::vector<std::uint64_t> groups;
  LastStage last;
  Cycles cycles;  ///< estimate for all stages
};

/// The stages that take the fewest cycles, by the published estimates of their vertices and by the
/// machine's exchange, sync, vertex launch and compute set entry. There are up to two stages before
/// the last one, with about equally many partials per output. The vendor's library chooses between
/// the same alternatives, by thresholds of its own.
/// Source: graphcore/poplibs lib/popops/reduction/ReductionStages.cpp (MIT).
ReductionStages planReduction(const Architecture& machine, const ReductionSize& size);

}  // namespace ipusim::workloads
