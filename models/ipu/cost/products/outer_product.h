// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// One OuterProduct vertex: `width` positions times `chans` weights of one in channel.
struct OuterProductShape {
  ElementType type;
  std::uint64_t width;
  std::uint64_t chans;
  std::uint32_t chans_per_group;  ///< how the result is grouped; divides `chans`
};

/// Worker cycles (issue slots) of an OuterProduct vertex.
///
///   float: 25 + g (11 + width p), p = 6 + (cpg - 6) / 2 on the fast path, else 10 + 2 cpg
///   half:  25 + g (10 + width p), p = 6 + (cpg - 12) / 4 on the fast path, else 10 + 5 cpg / 2
///
/// with g = chans / cpg groups. The fast path needs cpg to be a multiple of the vector width, long
/// enough to fill the pipeline, and short enough for the stride field.
/// Source: graphcore/poplibs lib/poplin/PerformanceEstimation.hpp (MIT).
/// Calibrated: no.
/// Valid for: half and float.
Cycles outerProductCycles(const Architecture& machine, const OuterProductShape& shape);

}  // namespace ipusim::models
