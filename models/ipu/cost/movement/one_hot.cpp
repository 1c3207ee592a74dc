// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/movement/one_hot.h"

// The literals are those of the formula in one_hot.h.

namespace ipusim::models {

Cycles encodeOneHotCycles(DataType indices, DataType output, std::uint64_t count) {
  const bool has_assembly = indices == ElementType::UInt32 && output == ElementType::Half;
  return Cycles(has_assembly ? 11 + 74 * count : 100 * count);
}

}  // namespace ipusim::models
