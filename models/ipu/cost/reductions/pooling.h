// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// The vertices that pool windows of a field. MaxGradientScale counts how often a maximum stands in
/// a window; MaxGradient spreads a gradient over the places of the maxima.
enum class PoolingVertex : std::uint8_t { Max, Sum, MaxGradientScale, MaxGradient };

/// A stretch of outputs at one position of the kernel: its elements, less one.
using PoolingItem = std::uint64_t;
/// The items of one row of the field.
using PoolingRow = std::vector<PoolingItem>;

/// Issue slots that make addresses from the pointers of a pooling vertex.
struct PoolingUnpack {
  std::uint64_t out = 0;
  std::uint64_t in = 0;
  std::uint64_t start = 0;
  std::uint64_t work_list = 5;
};

/// One pooling vertex, which all workers of the tile run.
struct PoolingShape {
  PoolingVertex vertex;
  std::uint64_t outputs;          ///< output positions, all of which are cleared first
  std::uint64_t channel_vectors;  ///< vectors of the channels of a group
  std::uint64_t channel_groups;
  std::vector<std::vector<PoolingRow>> work;  ///< one entry per worker
};

/// Tile cycles of a MaxPooling, SumPooling, MaxPoolingGradientScale or MaxPoolingGrad vertex. D are
/// the vectors of a group's channels, G the groups, i the outputs:
///
///   13 + W max over workers
///   worker = 23 + u_out + u_start + (4 + q + extra) G + (no rows: 1)
///          + (rows: 9 + (1, sum 2) + 2 u_work + (gradient: 6 + u_out + u_in)
///             + sum over rows (15 + sum over items (23 + G (2 + D piece(n)) + (G - 1) e)))
///   q = floor(i D / W); extra = 1 for worker w < i - W q, and for every worker where i < W q
///   piece(n) = 7 + 3 n; sum 8 + 3 n; gradient 10 + 5 n
///   e = 4, gradient 6
///
/// Source: graphcore/poplibs lib/popnn/popnnCycleEstimators.cpp (MIT).
/// Calibrated: no.
Cycles poolingCycles(const Architecture& machine, const PoolingShape& shape,
                     const PoolingUnpack& unpack = {});

/// A pooling as its planner sees it, on one tile.
struct PoolingPlanShape {
  PoolingVertex vertex;
  std::vector<std::uint64_t> field;  ///< output positions of each dimension
  std::uint64_t batch;
  std::uint64_t channel_groups;
  std::uint64_t channel_vectors;
  std::uint64_t stride;            ///< of the innermost dimension, between outputs of one item
  std::uint64_t kernel_positions;  ///< items of each row
};

/// The planner's estimate of the vertex. Worker w gets the positions from floor(w n / W) to
/// floor((w + 1) n / W) of all n, cut at the ends of rows. Every pointer costs 2 slots.
/// Source: graphcore/poplibs lib/popnn/PoolPlan.cpp (MIT), which divides the outputs by D first.
Cycles plannedPoolingCycles(const Architecture& machine, const PoolingPlanShape& shape);

}  // namespace ipusim::models
