// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/products/outer_product.h"

namespace ipusim::models {
namespace {

constexpr std::uint64_t kOuterProductVertexOverhead = 25;

// The two paths of the code, with one set of numbers per type.
struct PathCosts {
  std::uint64_t group_overhead;
  // The number of channels that the fast path needs to fill its pipeline.
  std::uint64_t shortest_fast;
  std::uint64_t fast_overhead;
  std::uint64_t slow_overhead;
  std::uint64_t slow_per_two_chans;
};
constexpr PathCosts kOuterProductFloat{11, 6, 6, 10, 4};
constexpr PathCosts kOuterProductHalf{10, 12, 6, 10, 5};

// Strides are signed fields of 10 bits.
constexpr std::uint64_t kStrideLimit = 512;

std::uint64_t positionCycles(const PathCosts& cost, std::uint64_t chans, std::uint64_t width) {
  const bool fast =
      chans >= cost.shortest_fast && chans % width == 0 && chans / width + 1 < kStrideLimit;
  if (fast) return cost.fast_overhead + (chans - cost.shortest_fast) / width;
  return cost.slow_overhead + cost.slow_per_two_chans * chans / 2;
}

}  // namespace

Cycles outerProductCycles(const Architecture& machine, const OuterProductShape& shape) {
  const PathCosts& cost = shape.type == ElementType::Half ? kOuterProductHalf : kOuterProductFloat;
  const std::uint64_t groups = shape.chans / shape.chans_per_group;
  const std::uint64_t position =
      positionCycles(cost, shape.chans_per_group, machine.vectorWidth(shape.type));
  return Cycles(kOuterProductVertexOverhead +
                groups * (cost.group_overhead + shape.width * position));
}

}  // namespace ipusim::models
