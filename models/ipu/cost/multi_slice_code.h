// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/machine.h"
#include "ipusim/units.h"
#include "models/ipu/cost/movement/multi_slice.h"

namespace ipusim::models {

/// Tile cycles of a MultiSlice vertex by its code, for look-ups of 2 and 4 bytes that workers
/// share:
///
///   W (33 + r (23 + 2 floor(elements / 2) + 2 (elements odd)) + 8 (n - r))
///
/// where n is the number of offsets of a worker and r those in range. The published estimate of
/// multi_slice.h has 30 in place of 33 and 19 in place of 23, and is taken for all other vertices.
/// Source: graphcore/poplibs lib/popops/codelets/asm/MultiSlice.S (MIT), counted for data whose
/// addresses are multiples of 8 bytes.
/// Calibrated: no.
Cycles multiSliceCodeCycles(const Architecture& machine, const MultiSliceShape& shape);

}  // namespace ipusim::models
