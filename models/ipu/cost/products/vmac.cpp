// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/products/vmac.h"

#include <algorithm>

#include "models/ipu/cost/elementwise/element_kinds.h"
#include "models/ipu/cost/workers.h"

namespace ipusim::models {
namespace {

// Supervisor cycles, as in the formula of the header: entry, zeroing call, reduction call.
constexpr std::uint64_t kVmacVertexOverhead = 61 + 14 + 25;
constexpr std::uint64_t kVmacConvGroupOverhead = 32;
constexpr std::uint64_t kVmacInGroupOverhead = 24;
constexpr std::uint64_t kVmacZeroOverhead = 4;
constexpr std::uint64_t kReduceOverhead = 10;
constexpr std::uint64_t kReduceWorker = 7;
constexpr std::uint64_t kReduceWorkerFloat = 2;
constexpr std::uint64_t kReduceElement = 5;

// Worker turns. The code for half partials does 8 groups at once.
constexpr std::uint64_t kWideGroups = 8;
constexpr std::uint64_t kWideWorker = 13;
constexpr std::uint64_t kTwiceWideWorker = 25;
constexpr std::uint64_t kWideSum = 22;
constexpr std::uint64_t kWorkerFloat = 19;
constexpr std::uint64_t kWorkerHalf = 18;
constexpr std::uint64_t kSum = 7;
constexpr std::uint64_t kSumFloat = 5;
constexpr std::uint64_t kSumHalf = 3;

constexpr std::uint64_t kVmacDotOverhead = 3;
constexpr std::uint64_t kDotWide = 3;    // 8 groups per step
constexpr std::uint64_t kDotNarrow = 2;  // 4 groups per step
constexpr std::uint64_t kNarrowGroups = 4;

std::uint64_t dotCycles(std::uint64_t length, std::uint64_t groups) {
  const std::uint64_t step = groups >= kWideGroups ? kDotWide * (groups / kWideGroups)
                                                   : kDotNarrow * (groups / kNarrowGroups);
  return kVmacDotOverhead + (length - 1) * step;
}

/// True for the code that does 8 groups at once.
bool isWide(const VmacShape& shape) {
  return !isFloat(shape.partials) && shape.conv_groups_per_group >= kWideGroups;
}

std::uint64_t workerStart(const VmacShape& shape) {
  if (isWide(shape)) {
    return shape.conv_groups_per_group == kWideGroups ? kWideWorker : kTwiceWideWorker;
  }
  return isFloat(shape.partials) ? kWorkerFloat : kWorkerHalf;
}

/// Cycles of summing what the workers left, spread over them again.
std::uint64_t reduceCycles(const Architecture& machine, const VmacShape& shape) {
  const std::uint64_t to_float = isFloat(shape.partials) ? 1 : 0;
  const std::uint64_t each =
      kReduceWorker + kReduceWorkerFloat * to_float + (1 + to_float) * kReduceElement;
  return kReduceOverhead - to_float +
         each * largestShare(machine, shape.zeroed) / shape.conv_groups_per_group;
}

}  // namespace

Cycles vmacCycles(const Architecture& machine, const VmacShape& shape,
                  const WorkerSums& multiplies) {
  std::uint64_t slowest = 0;
  for (const auto& worker : multiplies) {
    std::uint64_t slots = 0;
    for (const std::uint64_t length : worker) slots += vmacSumSlots(shape, length);
    slowest = std::max(slowest, slots);
  }
  return vmacCyclesOf(machine, shape, slowest);
}

std::uint64_t vmacSumSlots(const VmacShape& shape, std::uint64_t length) {
  const std::uint64_t groups = shape.conv_groups_per_group;
  if (isWide(shape)) return groups / kWideGroups * (kWideSum + dotCycles(length, kWideGroups));
  return kSum + (isFloat(shape.partials) ? kSumFloat : kSumHalf) + dotCycles(length, groups);
}

Cycles vmacCyclesOf(const Architecture& machine, const VmacShape& shape, std::uint64_t sum_slots) {
  const std::uint64_t inner = tileCyclesOf(machine, workerStart(shape) + sum_slots).value();
  const std::uint64_t zero =
      kVmacZeroOverhead + ceilDiv<std::uint64_t>(shape.zeroed, machine.vectorWidth(shape.partials));
  const std::uint64_t conv_group = zero + kVmacConvGroupOverhead +
                                   shape.in_groups * (kVmacInGroupOverhead + inner) +
                                   reduceCycles(machine, shape);
  return Cycles(kVmacVertexOverhead + (isFloat(shape.partials) ? 1 : 0) +
                shape.conv_groups * conv_group);
}

}  // namespace ipusim::models
