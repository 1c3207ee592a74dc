// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/machine.h"

namespace ipusim::workloads {

/// What is reduced over tiles.
struct ReductionSize {
  std::uint64_t columns;         ///< outputs
  std::uint64_t partials;        ///< of the column that has most
  ElementType type;              ///< of the partials
  std::uint64_t result_columns;  ///< outputs of the tile that holds most of them
};

/// Where the last stage computes.
enum class LastStage : std::uint8_t {
  AtResult,  ///< where the outputs lie
  Spread,    ///< on all tiles, and the outputs are sent to where they lie
};

/// How many partials an intermediate stage leaves of each column, stage by stage, and where the
/// last stage is.
struct ReductionStages {
  std::vector<std::uint64_t> groups;
  LastStage last;
  Cycles cycles;  ///< estimated, of all stages
};

/// The stages that take the fewest cycles by the published estimates of their vertices and the
/// machine's exchange, sync, vertex launch and compute set entry: up to two before the last one, of
/// about equally many partials an output. The vendor's library chooses between the same
/// alternatives by thresholds of its own. Source: graphcore/poplibs
/// lib/popops/reduction/ReductionStages.cpp (MIT).
ReductionStages planReduction(const Architecture& machine, const ReductionSize& size);

}  // namespace ipusim::workloads
