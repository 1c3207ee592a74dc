// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"
#include "models/ipu/cost/worker_rows.h"

namespace ipusim::models {

/// Kernel positions along a row that the engines hold at once.
constexpr std::uint32_t kSlicWindow = 4;

/// Chains of engines in use: one pass over the inputs, or two.
constexpr std::uint32_t kSlicMostChains = 4;
constexpr std::uint32_t kSlicFewChains = 2;

/// From this number of positions in a row on, the engines never wait for its start, whatever the
/// partials.
constexpr std::uint64_t kSlicLongPiece = 6;

/// One ConvPartial1xNSLIC vertex. A window of four kernel positions along a row stays in the matrix
/// engines, for a few channels or groups at a time. Activations are halves.
struct SlicShape {
  ElementType partials;                 ///< half or float
  std::uint32_t chains;                 ///< P: chains of engines in use, 2 or 4
  std::uint64_t out_stride;             ///< 1 or 2
  std::uint64_t conv_groups_per_group;  ///< c: 1, 2, 4, 8, 16
  std::uint64_t chans_per_group;
  std::uint64_t conv_group_groups;  ///< G
  std::uint64_t sub_kernels;        ///< K: blocks of four kernel positions
};

/// Cycles of the vertex, all W workers. h8: P = 2 and half partials. fp: float partials. [x] is one
/// where x holds, and zero otherwise. z = 1 on the first sub-kernel, which zeroes implicitly:
///
///   total = (25 if h8, else 28) + body G + br(G) + block K + br(K) + G inner(1)
///           + G (K - 1) inner(0),   br(n) = 6 (n - 1) + 1
///   inner(z) = W max over workers + [h8 and z] (2 + 2 field elements of all workers)
///   worker   = 17 + 4 [c > 4] + 2 [h8]
///              + sum over pieces ((9 if h8, else 10) + z + 3 fp + passes piece)
///   passes   = 1 for P = 4, else 2
///   piece(n) = - fp + (stride 1, n < 5 (6 if h8): 13 for n = 1, else 13 + n, 17 + n for z = 0;
///              longer 10 + n + 3 [h8 and z = 0]; stride 2: 13, 15, then 9 + 2 n)
///   weights w: 34 for 4 channels a group, else 37 + W ((12 if c = 2, else 10) + [c > 4])
///   c <= 4:  block = w + (16 if h8, else 20), body = 12 if h8, else 15
///   c > 4, k = c / 4:  block = k (w + 21) + br(k) + 15, body + 8, k inner(0) but inner(1)
///
/// As published, the weights of all blocks are counted once and not per G, and inner(1) is counted
/// once for all k.
/// Source: graphcore/poplibs lib/poplin/PerformanceEstimation.hpp (MIT).
/// Calibrated: no.
/// Valid for: half activations, a window of four.
Cycles slicCycles(const Architecture& machine, const SlicShape& shape, const WorkerRows& rows);

/// The first sub-kernel writes the partials. Each further one adds to them.
enum class SlicPartials : std::uint8_t { Written, AddedTo };

/// The workers of a tile: slots of the slowest one, and field elements of all.
struct SlicWorkers {
  std::uint64_t slowest_written;
  std::uint64_t slowest_added;
  std::uint64_t field;
};

/// Cycles of the vertex with these workers.
Cycles slicCyclesOf(const Architecture& machine, const SlicShape& shape,
                    const SlicWorkers& workers);

/// The slots of a worker before its pieces, and of a piece of `positions`.
std::uint64_t slicStartSlots(const SlicShape& shape);
std::uint64_t slicPieceSlots(const SlicShape& shape, SlicPartials partials,
                             std::uint64_t positions);

}  // namespace ipusim::models
