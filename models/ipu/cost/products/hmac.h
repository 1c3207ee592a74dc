// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"
#include "models/ipu/cost/worker_rows.h"

namespace ipusim::models {

/// The two codelets. The 1x1 codelet takes half inputs, float partials and one kernel position.
enum class HmacVariant : std::uint8_t { General, OneByOne };

/// One ConvPartialHorizontalMac vertex.
struct HmacShape {
  HmacVariant variant;
  ElementType inputs;    ///< half or float
  ElementType partials;  ///< half or float; float inputs need float partials
  std::uint64_t kernel_positions = 1;
  std::uint64_t conv_groups;          ///< G
  std::uint64_t in_groups;            ///< I
  std::uint64_t out_groups;           ///< O
  std::uint64_t in_chans_per_group;   ///< even for half
  std::uint64_t out_chans_per_group;  ///< in all plans 1 for float partials, 2 for half
};

/// The variant that the vendor's library has for a 1x1 kernel of these types.
HmacVariant hmacVariant(ElementType inputs, ElementType partials);

/// Worker cycles of one dot product over `in_chans_per_group` channels. With half partials it makes
/// two outputs at once.
Cycles hmacDotProductCycles(const Architecture& machine, const HmacShape& shape);

/// Worker cycles of one field position: the dot products of a group, and the code around them.
Cycles hmacPositionCycles(const Architecture& machine, const HmacShape& shape);

/// Cycles of a ConvPartialHorizontalMac(1x1) vertex, all workers and the supervisor. `zeroing`
/// comes on top (zeroPartialsCycles).
///
///   total = overhead + W (9 float | 10 half partials) + W R' + G (23 + I (15 + O (10 + W worker)))
///   worker = 16 + sum over kernel positions (16 - R + sum over rows)
///   row    = 7 if empty; 14 + n (2 + dot) for one out channel of the 1x1 codelet;
///            else (13 1x1 | 19) + n (7 + C dot)
///
/// The formulas are for the slowest worker: n positions in a row, C dot products per position. R is
/// what the code keeps in registers between calls.
/// Source: graphcore/poplibs lib/poplin/PerformanceEstimation.hpp (MIT).
/// Calibrated: no.
/// Valid for: half and float. As published, R' depends on the partials.
Cycles hmacCycles(const Architecture& machine, const HmacShape& shape, const WorkerRows& rows);

/// Cycles of the vertex whose slowest worker takes `row_slots` for its rows at each kernel
/// position.
Cycles hmacCyclesOf(const Architecture& machine, const HmacShape& shape, std::uint64_t row_slots);

/// The slots of a row of `positions`.
std::uint64_t hmacRowSlots(const Architecture& machine, const HmacShape& shape,
                           std::uint64_t positions);

/// Cycles of the vertex for one row of `field` positions, which are split evenly over the workers.
Cycles hmacRowCycles(const Architecture& machine, const HmacShape& shape, std::uint64_t field);

}  // namespace ipusim::models
