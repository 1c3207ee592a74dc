// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/reductions/reduce.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "ipusim/error.h"

// The literals are those of the formulas in reduce.h.

namespace ipusim::models {
namespace {

bool isAdd(const ReduceKind& kind) {
  return kind.op == ReduceOp::Add || kind.op == ReduceOp::SquareAdd;
}

bool isUpdate(const ReduceKind& kind) {
  return kind.into == ReduceInto::Update;
}

/// The adds have accumulators, which are twice the data path.
std::uint64_t accumulators(const Architecture& machine, const ReduceKind& kind) {
  return std::uint64_t{machine.vectorWidth(kind.partials)} * (isAdd(kind) ? 2 : 1);
}

/// Slots by output: half, float. The two sets are for a fresh output and for an update.
struct PostSlots {
  std::array<std::uint64_t, 2> fresh;
  std::array<std::uint64_t, 2> update;
};

/// The value `post` of reduce.h.
PostSlots postOf(const ReduceKind& kind) {
  const bool floats = kind.partials == ElementType::Float;
  switch (kind.op) {
    case ReduceOp::Add:
      return floats ? PostSlots{{5, 5}, {7, 8}} : PostSlots{{8, 7}, {10, 12}};
    case ReduceOp::Maximum:
    case ReduceOp::Minimum:
      return floats ? PostSlots{{4, 4}, {6, 7}} : PostSlots{{8, 8}, {11, 11}};
    case ReduceOp::SquareAdd:
    case ReduceOp::Multiply:
      return floats ? PostSlots{{4, 4}, {6, 7}} : PostSlots{{1, 1}, {1, 1}};
    case ReduceOp::LogAdd:
      break;
  }
  return floats ? PostSlots{{4, 4}, {15, 29}} : PostSlots{{8, 8}, {23, 57}};
}

std::uint64_t postSlots(const ReduceKind& kind) {
  const PostSlots post = postOf(kind);
  const std::size_t output = kind.output == ElementType::Half ? 0 : 1;
  return isUpdate(kind) ? post.update.at(output) : post.fresh.at(output);
}

std::uint64_t stridedRowSlots(const ReduceKind& kind) {
  if (kind.op != ReduceOp::LogAdd) return 1;
  return kind.partials == ElementType::Float ? 23 : 13;
}

/// Cycles of log-add over lists of regions, whose vertex is written in C++.
Cycles logAddCycles(const ReduceKind& kind, const std::vector<ReduceRegion>& regions) {
  const std::uint64_t each = 36 + (kind.output == kind.partials ? 0 : 1);
  std::uint64_t slots = 31 + 8 * regions.size();
  for (const ReduceRegion& region : regions) {
    for (const std::uint64_t run : region.partials) slots += 22 + each * run;
  }
  return Cycles(slots);
}

/// The terms of the formula of a Reduce vertex for one kind.
class RegionCost {
 public:
  RegionCost(const Architecture& machine, const ReduceKind& kind)
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

Cycles stridedReduceCycles(const Architecture& machine, const StridedReduceShape& shape) {
  const std::uint64_t at_a_time = std::gcd(machine.vectorWidth(shape.kind.partials), shape.stride);
  const std::uint64_t rows = shape.outer * (3 + stridedRowSlots(shape.kind) * (shape.partials - 1));
  return Cycles(16 + ceilDiv(shape.outputs, at_a_time) * (3 + postSlots(shape.kind) + rows));
}

Cycles continuousReduceCycles(const Architecture& machine, const ContinuousReduceShape& shape) {
  const std::uint64_t loop = shape.kind.op == ReduceOp::LogAdd
                                 ? 20 * shape.partials
                                 : shape.partials / machine.vectorWidth(shape.kind.partials);
  const std::uint64_t row = loop + 12;
  return Cycles(17 + (isUpdate(shape.kind) ? 1 : 0) + (shape.outputs - 1) * row +
                (shape.partials % 2 != 0 ? 2 : 0));
}

Cycles singleReduceCycles(const Architecture& machine, const ContinuousReduceShape& shape) {
  check(shape.kind.op != ReduceOp::LogAdd, "singleReduceCycles: log-add has no such vertex");
  const std::uint64_t width = accumulators(machine, shape.kind);
  const std::uint64_t loads = width / machine.vectorWidth(shape.kind.partials);
  return Cycles(17 + shape.partials * loads / width + shape.partials % width +
                (shape.kind.output == ElementType::Float ? 0 : 5));
}

Cycles reduceCycles(const Architecture& machine, const ReduceKind& kind,
                    const std::vector<ReduceRegion>& regions) {
  if (kind.op == ReduceOp::LogAdd) return logAddCycles(kind, regions);
  const RegionCost cost(machine, kind);
  std::uint64_t slots = 33;
  for (const ReduceRegion& region : regions) slots += cost.slots(region);
  return Cycles(slots);
}

}  // namespace ipusim::models
