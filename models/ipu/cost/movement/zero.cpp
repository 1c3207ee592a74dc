// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/movement/zero.h"

#include "models/ipu/cost/workers.h"

namespace ipusim::models {
namespace {

constexpr std::uint64_t kRegionOverhead = 5;

}  // namespace

Cycles zeroPartialsCycles(const Architecture& machine, const ZeroShape& shape) {
  const std::uint64_t width = machine.vectorWidth(shape.type);
  const std::uint64_t stores = ceilDiv(largestShare(machine, shape.elements), width);
  return tileCyclesOf(machine, shape.regions * (stores + kRegionOverhead));
}

}  // namespace ipusim::models
