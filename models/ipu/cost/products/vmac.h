// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// One ConvPartialVerticalMac vertex: a depthwise convolution of half inputs, with several conv
/// groups side by side.
struct VmacShape {
  ElementType partials;
  std::uint64_t conv_groups_per_group;  ///< c: 4, 8 or 16
  std::uint64_t conv_groups;            ///< G
  std::uint64_t in_groups;              ///< I
  std::uint64_t zeroed;                 ///< number of elements of partials to clear
};

/// The work of the workers: multiplies[worker] lists the length of each of its sums, at least 1.
using WorkerSums = std::vector<std::vector<std::uint64_t>>;

/// Cycles of a ConvPartialVerticalMac vertex, all workers W and the supervisor.
///
///   total  = 61 + 14 + 25 + [float] + G (zero + 32 + I (24 + W worker) + reduce)
///   zero   = 4 + ceil(zeroed / (2 float | 4 half))
///   reduce = 10 - [float] + (7 + 2 [float] + 5 (2 float | 1 half)) ceil(zeroed / W) / c
///   worker = 13 + sum (22 + dot(n, 8)), c = 8, half partials
///          = 25 + 2 sum (22 + dot(n, 8)), c = 16, half partials
///          = (19 float | 18 half) + sum (7 + (5 float | 3 half) + dot(n, c)), else
///   dot(n, c) = 3 + 3 (n - 1) c / 8 for c of 8 and more, else 3 + 2 (n - 1) c / 4
///
/// The formulas are for the slowest worker.
/// Source: graphcore/poplibs lib/poplin/PerformanceEstimation.hpp (MIT).
/// Calibrated: no.
/// Valid for: half inputs.
Cycles vmacCycles(const Architecture& machine, const VmacShape& shape,
                  const WorkerSums& multiplies);

/// Cycles of the vertex whose slowest worker takes `sum_slots` for its sums.
Cycles vmacCyclesOf(const Architecture& machine, const VmacShape& shape, std::uint64_t sum_slots);

/// The slots of a sum of `length` products, at least 1.
std::uint64_t vmacSumSlots(const VmacShape& shape, std::uint64_t length);

}  // namespace ipusim::models
