// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/multi_slice_code.h"

#include "models/ipu/cost/workers.h"

// The literals are those of the formula in multi_slice_code.h.

namespace ipusim::models {

Cycles multiSliceCodeCycles(const Architecture& machine, const MultiSliceShape& shape) {
  const LookUps& look_ups = shape.look_ups;
  const bool is_counted = shape.direction == SliceDirection::Slice && shape.element != Bytes(1) &&
                          shape.split == SliceSplit::Offsets && !look_ups.sorted;
  if (!is_counted) return multiSliceCycles(machine, shape);
  const std::uint64_t found = 23 + 2 * (shape.elements / 2) + 2 * (shape.elements % 2);
  return tileCyclesOf(machine,
                      33 + look_ups.in_range * found + 8 * (look_ups.offsets - look_ups.in_range));
}

}  // namespace ipusim::models
