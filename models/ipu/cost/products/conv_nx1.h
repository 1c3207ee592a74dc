// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/machine.h"
#include "ipusim/units.h"
#include "models/ipu/cost/products/amp.h"
#include "models/ipu/cost/worker_rows.h"

namespace ipusim::models {

/// One ConvPartialnx1 vertex: AMP with a kernel. The engine takes the first rows of the kernel at
/// once.
struct ConvNx1Shape {
  AmpEngine engine;
  std::uint32_t amp_kernel_height;    ///< H: kernel rows in the engine's weights: 1, 2 or 4
  std::uint64_t kernel_outer;         ///< KO: rows of the kernel, in steps of H
  std::uint64_t kernel_inner;         ///< KI: columns of the kernel
  std::uint64_t conv_groups;          ///< G
  std::uint64_t in_groups;            ///< I
  std::uint64_t out_groups;           ///< O
  std::uint32_t out_chans_per_group;  ///< a multiple of the engines
};

/// Cycles of a ConvPartialnx1 vertex, all workers and the supervisor. Clearing the partials comes
/// on top (zeroPartialsCycles). There are P = out_chans_per_group / conv units passes:
///
///   total  = 109 + 54 + W (9 float | 10 half partials) + G (17 O + 6 (O - 1) + 1) + 6 (G - 1) + 1
///          + G (16 + I (14 + O (14 + inner)))
///   inner  = KO (14 + KI (12 + P (load + extra + 3))) + KO KI P max(W max, W min + 9)
///   worker = 17 + [half partials] + sum over rows (t(n) - 6)
///
/// load is for the engines' weights, which are never loaded 128 bits at a time when H = 4. extra is
/// 15, 46 and 60 for H = 1, 2 and 4. t(n) are the turns for a row of n positions. `rows` are the
/// rows of each kernel position.
/// Source: graphcore/poplibs lib/poplin/PerformanceEstimation.hpp (MIT).
/// Calibrated: no.
/// Valid for: half and float.
Cycles convNx1Cycles(const Architecture& machine, const ConvNx1Shape& shape,
                     const WorkerRows& rows);

/// Cycles of the vertex whose workers take `workers` slots at each kernel position.
Cycles convNx1CyclesOf(const Architecture& machine, const ConvNx1Shape& shape,
                       const WorkerSlots& workers);

/// The slots of a worker at a kernel position before its rows, and of a row of `positions`.
std::uint64_t convNx1StartSlots(const AmpEngine& engine);
std::uint64_t convNx1RowSlots(const AmpEngine& engine, std::uint64_t positions);

}  // namespace ipusim::models
