// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/products/hmac.h"

#include <algorithm>

#include "models/ipu/cost/elementwise/element_kinds.h"
#include "models/ipu/cost/workers.h"

namespace ipusim::models {
namespace {

// Supervisor cycles, as in the formula of the header.
constexpr std::uint64_t kFloatOverhead = 58;
constexpr std::uint64_t kHalfOverhead = 65;
constexpr std::uint64_t kOneByOneSaves = 10;
constexpr std::uint64_t kHmacZeroCallFloat = 9;
constexpr std::uint64_t kHmacZeroCallHalf = 10;
constexpr std::uint64_t kHmacConvGroupOverhead = 23;
constexpr std::uint64_t kHmacInGroupOverhead = 15;
constexpr std::uint64_t kHmacOutGroupOverhead = 10;

// Worker turns that the code saves by keeping state in registers between calls.
constexpr std::uint64_t kRetainedOneByOne = 15;
constexpr std::uint64_t kRetainedHalf = 6;

// Worker turns.
constexpr std::uint64_t kCallOverhead = 16;
constexpr std::uint64_t kKernelPositionOverhead = 16;
constexpr std::uint64_t kEmptyRow = 7;
constexpr std::uint64_t kRow = 19;
constexpr std::uint64_t kOneByOneRow = 13;
constexpr std::uint64_t kFieldPosition = 7;
constexpr std::uint64_t kSingleOutChanRow = 14;
constexpr std::uint64_t kSingleOutChanPosition = 2;

// Worker turns of a dot product.
constexpr std::uint64_t kDotPerOutput = 3;
constexpr std::uint64_t kHmacDotOverhead = 4;
constexpr std::uint64_t kNarrowLoadCycles = 2;  // a load that does not fill the data path

/// The number of outputs of a dot product: the code for half partials makes two.
std::uint64_t dotOutputs(const HmacShape& shape) {
  return isHalf(shape.partials) ? 2 : 1;
}

bool isOneDot(const HmacShape& shape) {
  return shape.variant == HmacVariant::OneByOne && shape.out_chans_per_group == 1;
}

std::uint64_t rowCycles(const HmacShape& shape, std::uint64_t position, std::uint64_t positions) {
  if (positions == 0) return kEmptyRow;
  if (isOneDot(shape)) return kSingleOutChanRow + positions * position;
  return (shape.variant == HmacVariant::OneByOne ? kOneByOneRow : kRow) + positions * position;
}

/// The cycles of a worker that has `rows` at each kernel position.
std::uint64_t workerCycles(const HmacShape& shape, std::uint64_t rows) {
  const std::uint64_t retained = shape.variant == HmacVariant::OneByOne ? kRetainedOneByOne
                                 : isHalf(shape.inputs)                 ? kRetainedHalf
                                                                        : 0;
  return kCallOverhead + shape.kernel_positions * (kKernelPositionOverhead - retained + rows);
}

Cycles vertexCycles(const Architecture& machine, const HmacShape& shape,
                    std::uint64_t slowest_worker) {
  const std::uint64_t workers = machine.workers_per_tile;
  const bool one_by_one = shape.variant == HmacVariant::OneByOne;
  const std::uint64_t overhead =
      (isHalf(shape.inputs) ? kHalfOverhead : kFloatOverhead) - (one_by_one ? kOneByOneSaves : 0);
  const std::uint64_t zero_call = isHalf(shape.partials) ? kHmacZeroCallHalf : kHmacZeroCallFloat;
  const std::uint64_t retained = one_by_one               ? kRetainedOneByOne
                                 : isHalf(shape.partials) ? kRetainedHalf
                                                          : 0;
  const std::uint64_t inner = tileCyclesOf(machine, slowest_worker).value();
  return Cycles(overhead + workers * (zero_call + retained) +
                shape.conv_groups *
                    (kHmacConvGroupOverhead +
                     shape.in_groups * (kHmacInGroupOverhead +
                                        shape.out_groups * (kHmacOutGroupOverhead + inner))));
}

}  // namespace

HmacVariant hmacVariant(ElementType inputs, ElementType partials) {
  return isHalf(inputs) && !isHalf(partials) ? HmacVariant::OneByOne : HmacVariant::General;
}

Cycles hmacDotProductCycles(const Architecture& machine, const HmacShape& shape) {
  const std::uint64_t vector = machine.vectorWidth(shape.inputs);
  const std::uint64_t outputs = dotOutputs(shape);
  std::uint64_t width = vector;
  while (shape.in_chans_per_group % width != 0) width /= 2;

  const bool half = isHalf(shape.inputs);
  const std::uint64_t base = kDotPerOutput * outputs + (isHalf(shape.partials) ? 1 : 0) +
                             kHmacDotOverhead - (half ? 1 : 0);
  const std::uint64_t loads = shape.in_chans_per_group / width;
  return Cycles(width == vector ? base + loads : base + outputs + kNarrowLoadCycles * loads);
}

Cycles hmacPositionCycles(const Architecture& machine, const HmacShape& shape) {
  const Cycles dot = hmacDotProductCycles(machine, shape);
  if (isOneDot(shape)) return Cycles(kSingleOutChanPosition) + dot;
  return Cycles(kFieldPosition) + dot * ceilDiv(shape.out_chans_per_group, dotOutputs(shape));
}

Cycles hmacCycles(const Architecture& machine, const HmacShape& shape, const WorkerRows& rows) {
  const std::uint64_t position = hmacPositionCycles(machine, shape).value();
  std::uint64_t slowest = 0;
  for (const auto& worker : rows) {
    std::uint64_t cycles = 0;
    for (const std::uint64_t positions : worker) cycles += rowCycles(shape, position, positions);
    slowest = std::max(slowest, workerCycles(shape, cycles));
  }
  return vertexCycles(machine, shape, slowest);
}

Cycles hmacRowCycles(const Architecture& machine, const HmacShape& shape, std::uint64_t field) {
  const std::uint64_t position = hmacPositionCycles(machine, shape).value();
  const std::uint64_t most = largestShare(machine, field);
  return hmacCyclesOf(machine, shape, rowCycles(shape, position, most));
}

Cycles hmacCyclesOf(const Architecture& machine, const HmacShape& shape, std::uint64_t row_slots) {
  return vertexCycles(machine, shape, workerCycles(shape, row_slots));
}

std::uint64_t hmacRowSlots(const Architecture& machine, const HmacShape& shape,
                           std::uint64_t positions) {
  return rowCycles(shape, hmacPositionCycles(machine, shape).value(), positions);
}

}  // namespace ipusim::models
