// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/products/conv_nx1.h"

#include <algorithm>
#include <limits>

#include "models/ipu/cost/elementwise/element_kinds.h"
#include "models/ipu/cost/position_cost.h"

namespace ipusim::models {
namespace {

// Supervisor cycles, as in the formula of the header.
constexpr std::uint64_t kConvNx1VertexOverhead = 109;
constexpr std::uint64_t kConvNx1ZeroOverhead = 54;
constexpr std::uint64_t kConvNx1ZeroCallFloat = 9;
constexpr std::uint64_t kConvNx1ZeroCallHalf = 10;
constexpr std::uint64_t kZeroOutGroup = 17;
constexpr std::uint64_t kBranch = 6;
constexpr std::uint64_t kConvNx1ConvGroupOverhead = 16;
constexpr std::uint64_t kConvNx1InGroupOverhead = 14;
constexpr std::uint64_t kConvNx1OutGroupOverhead = 14;
constexpr std::uint64_t kKernelOuterOverhead = 14;
constexpr std::uint64_t kKernelInnerOverhead = 12;
constexpr std::uint64_t kConvNx1PassOverhead = 3;
constexpr std::uint64_t kConvNx1UnevenWorkersOverhead = 9;

// Loading the weights of several kernel rows takes pointer arithmetic.
constexpr std::uint64_t kExtraLoad1 = 15;
constexpr std::uint64_t kExtraLoad2 = 46;
constexpr std::uint64_t kExtraLoad4 = 60;
constexpr std::uint64_t kExtraLoadPerRow = 20;
constexpr std::uint32_t kTallestKernel = 4;  // its weights cannot be loaded 128 bits at a time

// Worker turns of a row.
constexpr PositionCost kFloatRow{17, 33, 44, 45, 8};
constexpr PositionCost kHalfRow{17, 29, 33, 34, 4};
constexpr PositionCost kHalfFullRow{17, 29, 34, 34, 4};  // with all engines of the dual AMP
constexpr std::uint64_t kWorkerOverhead = 17;
// The value t(n) includes these cycles, which a row after the call does not spend.
constexpr std::uint64_t kRowSaves = 6;

const PositionCost& rowCost(const AmpEngine& engine) {
  if (!isHalf(engine.inputs)) return kFloatRow;
  // The dual AMP writes half partials with all of its engines, and float ones with half of them.
  const std::uint32_t full = isHalf(engine.partials) ? kDualAmpUnits : kDualAmpUnits / 2;
  return engine.conv_units == full ? kHalfFullRow : kHalfRow;
}

WorkerSlots workerSlots(const AmpEngine& engine, const WorkerRows& rows) {
  WorkerSlots slots{0, std::numeric_limits<std::uint64_t>::max()};
  for (const auto& worker : rows) {
    std::uint64_t sum = convNx1StartSlots(engine);
    for (const std::uint64_t positions : worker) {
      sum += convNx1RowSlots(engine, positions);
    }
    slots = {std::max(slots.slowest, sum), std::min(slots.fastest, sum)};
  }
  return slots;
}

/// The cycles of all workers, at one kernel position and pass.
std::uint64_t workersCycles(const Architecture& machine, const WorkerSlots& slots) {
  const std::uint64_t workers = machine.workers_per_tile;
  return std::max(workers * slots.slowest, workers * slots.fastest + kConvNx1UnevenWorkersOverhead);
}

std::uint64_t extraLoadCycles(std::uint32_t kernel_height) {
  switch (kernel_height) {
    case 1:
      return kExtraLoad1;
    case 2:
      return kExtraLoad2;
    case kTallestKernel:
      return kExtraLoad4;
    default:
      return kExtraLoadPerRow * kernel_height;
  }
}

std::uint64_t passCycles(const Architecture& machine, const ConvNx1Shape& shape) {
  AmpEngine engine = shape.engine;
  if (shape.amp_kernel_height == kTallestKernel) engine.weight_load = WeightLoad::Bits64;
  return ampWeightLoadCycles(machine, engine).value() + extraLoadCycles(shape.amp_kernel_height) +
         kConvNx1PassOverhead;
}

}  // namespace

std::uint64_t convNx1StartSlots(const AmpEngine& engine) {
  return kWorkerOverhead + (isHalf(engine.partials) ? 1 : 0);
}

std::uint64_t convNx1RowSlots(const AmpEngine& engine, std::uint64_t positions) {
  return rowCost(engine).cyclesOf(positions) - kRowSaves;
}

Cycles convNx1Cycles(const Architecture& machine, const ConvNx1Shape& shape,
                     const WorkerRows& rows) {
  return convNx1CyclesOf(machine, shape, workerSlots(shape.engine, rows));
}

Cycles convNx1CyclesOf(const Architecture& machine, const ConvNx1Shape& shape,
                       const WorkerSlots& workers) {
  const std::uint64_t passes = shape.out_chans_per_group / shape.engine.conv_units;
  const std::uint64_t all_workers = workersCycles(machine, workers);
  const std::uint64_t supervisor =
      shape.kernel_outer *
      (kKernelOuterOverhead +
       shape.kernel_inner * (kKernelInnerOverhead + passes * passCycles(machine, shape)));
  const std::uint64_t inner =
      supervisor + shape.kernel_outer * shape.kernel_inner * passes * all_workers;

  const std::uint64_t zero_call =
      isHalf(shape.engine.partials) ? kConvNx1ZeroCallHalf : kConvNx1ZeroCallFloat;
  const std::uint64_t zero_loop = shape.conv_groups * (kZeroOutGroup * shape.out_groups +
                                                       kBranch * (shape.out_groups - 1) + 1) +
                                  kBranch * (shape.conv_groups - 1) + 1;
  const std::uint64_t conv_group =
      kConvNx1ConvGroupOverhead +
      shape.in_groups *
          (kConvNx1InGroupOverhead + shape.out_groups * (kConvNx1OutGroupOverhead + inner));
  return Cycles(kConvNx1VertexOverhead + kConvNx1ZeroOverhead +
                machine.workers_per_tile * zero_call + zero_loop + shape.conv_groups * conv_group);
}

}  // namespace ipusim::models
