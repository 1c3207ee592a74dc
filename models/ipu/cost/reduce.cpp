// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/reduce.h"

#include <algorithm>
#include <numeric>

// The literals are those of the formulas in reduce.h.

namespace ipusim::models {
namespace {

bool isAdd(const ReduceKind& kind) {
  return kind.op == ReduceOp::Add || kind.op == ReduceOp::SquareAdd;
}

bool isUpdate(const ReduceKind& kind) {
  return kind.into == ReduceInto::Update;
}

/// Twice the data path for the adds: they have accumulators.
std::uint64_t accumulators(const Machine& machine, const ReduceKind& kind) {
  return machine.vectorWidth(kind.partials) * (isAdd(kind) ? 2 : 1);
}

std::uint64_t postSlots(const ReduceKind& kind) {
  const bool half_output = kind.output == ElementType::Half;
  if (kind.partials == ElementType::Float) {
    const std::uint64_t update = half_output ? 4 : 5;
    return (isAdd(kind) ? 3 : 2) + (isUpdate(kind) ? update : 2);
  }
  if (!isAdd(kind)) return 1 + (isUpdate(kind) ? 10 : 7);
  const std::uint64_t update = half_output ? 9 : 11;
  const std::uint64_t fresh = half_output ? 7 : 6;
  return 1 + (isUpdate(kind) ? update : fresh);
}

/// What stands in the formula of a Reduce vertex for one kind.
class RegionCost {
 public:
  RegionCost(const Machine& machine, const ReduceKind& kind)
      : add_(isAdd(kind)),
        width_(accumulators(machine, kind)),
        path_(machine.vectorWidth(kind.partials)),
        store_(isUpdate(kind) ? 3 : 2),
        output_vector_(machine.vectorWidth(kind.output)) {}

  [[nodiscard]] std::uint64_t slots(const ReduceRegion& region) const {
    std::uint64_t slots = start(region);
    for (const std::uint64_t run : region.partials) {
      slots += runSlots(region.outputs, run / region.outputs);
    }
    return slots;
  }

 private:
  [[nodiscard]] std::uint64_t storeSlots(std::uint64_t width) const {
    return store_ * std::min(width, output_vector_) + (add_ ? 1 : 0);
  }
  [[nodiscard]] std::uint64_t loads(std::uint64_t width) const {
    return width / std::min(width, path_);
  }
  [[nodiscard]] std::uint64_t start(const ReduceRegion& region) const {
    const std::uint64_t runs = 10 * region.partials.size();
    std::uint64_t slots =
        24 + region.outputs / width_ * ((add_ ? 6 : 4) + storeSlots(width_) + runs);
    for (std::uint64_t bit = 1; bit < width_; bit *= 2) {
      slots += 2;
      if ((region.outputs & bit) != 0) slots += (add_ ? 4 : 2) + storeSlots(bit) + runs;
    }
    return slots;
  }
  [[nodiscard]] std::uint64_t runSlots(std::uint64_t outputs, std::uint64_t rows) const {
    std::uint64_t slots = outputs / width_ * rows * ((add_ ? 4 : 2) + loads(width_) + 3);
    for (std::uint64_t bit = 1; bit < width_; bit *= 2) {
      if ((outputs & bit) != 0) slots += rows * (5 + loads(bit));
    }
    return slots;
  }

  bool add_;
  std::uint64_t width_;
  std::uint64_t path_;
  std::uint64_t store_;
  std::uint64_t output_vector_;
};

}  // namespace

Cycles stridedReduceCycles(const Machine& machine, const StridedReduceShape& shape) {
  const std::uint64_t at_a_time = std::gcd(machine.vectorWidth(shape.kind.partials), shape.stride);
  const std::uint64_t rows = shape.outer * (3 + shape.partials - 1);
  return Cycles(16 + ceilDiv(shape.outputs, at_a_time) * (3 + postSlots(shape.kind) + rows));
}

Cycles continuousReduceCycles(const Machine& machine, const ContinuousReduceShape& shape) {
  const std::uint64_t row = shape.partials / machine.vectorWidth(shape.kind.partials) + 12;
  return Cycles(17 + (isUpdate(shape.kind) ? 1 : 0) + (shape.outputs - 1) * row +
                (shape.partials % 2 != 0 ? 2 : 0));
}

Cycles singleReduceCycles(const Machine& machine, const ContinuousReduceShape& shape) {
  const std::uint64_t width = accumulators(machine, shape.kind);
  const std::uint64_t loads = width / machine.vectorWidth(shape.kind.partials);
  return Cycles(17 + shape.partials * loads / width + shape.partials % width +
                (shape.kind.output == ElementType::Float ? 0 : 5));
}

Cycles reduceCycles(const Machine& machine, const ReduceKind& kind,
                    const std::vector<ReduceRegion>& regions) {
  const RegionCost cost(machine, kind);
  std::uint64_t slots = 33;
  for (const ReduceRegion& region : regions) slots += cost.slots(region);
  return Cycles(slots);
}

}  // namespace ipusim::models
