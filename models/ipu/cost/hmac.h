// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"
#include "models/ipu/cost/worker_rows.h"

namespace ipusim::models {

/// Which of the two codelets. The 1x1 one takes half inputs, float partials and one kernel
/// position.
enum class HmacVariant : std::uint8_t { General, OneByOne };

/// One ConvPartialHorizontalMac vertex.
struct HmacShape {
  HmacVariant variant;
  ElementType inputs;    ///< half or float
  ElementType partials;  ///< float where the inputs are
  std::uint64_t kernel_positions = 1;
  std::uint64_t conv_groups;          ///< G
  std::uint64_t in_groups;            ///< I
  std::uint64_t out_groups;           ///< O
  std::uint64_t in_chans_per_group;   ///< half: even
  std::uint64_t out_chans_per_group;  ///< 1 float partials, 2 half, in all plans
};

/// The variant the vendor's library has for a 1x1 kernel of these types.
HmacVariant hmacVariant(ElementType inputs, ElementType partials);

/// Worker cycles of one dot product over `in_chans_per_group` channels; two outputs at once for
/// half partials.
Cycles hmacDotProductCycles(const Architecture& machine, const HmacShape& shape);

/// Worker cycles of one field position: the dot products of a group, and what stands around them.
Cycles hmacPositionCycles(const Architecture& machine, const HmacShape& shape);

/// Cycles of a ConvPartialHorizontalMac(1x1) vertex, all workers and the supervisor; `zeroing`
/// comes on top (zeroPartialsCycles).
///
///   total = overhead + W (9 float | 10 half partials) + W R' + G (23 + I (15 + O (10 + W worker)))
///   worker = 16 + sum over kernel positions (16 - R + sum over rows)
///   row    = 7 if empty; 14 + n (2 + dot) for one out channel of the 1x1 codelet;
///            else (13 1x1 | 19) + n (7 + C dot)
///
/// for the slowest worker; n positions in a row, C dot products a position, R what is kept in
/// registers between calls. Source: graphcore/poplibs lib/poplin/PerformanceEstimation.hpp (MIT).
/// Calibrated: no. Valid for: half and float; R' goes by the partials, as published.
Cycles hmacCycles(const Architecture& machine, const HmacShape& shape, const WorkerRows& rows);

/// The same for one row of `field` positions split evenly over the workers.
Cycles hmacRowCycles(const Architecture& machine, const HmacShape& shape, std::uint64_t field);

}  // namespace ipusim::models
