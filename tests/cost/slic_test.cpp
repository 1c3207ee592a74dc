// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/products/slic.h"

#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

constexpr std::uint64_t kSlicWorkers = 6;

TEST(SlicCycles, OfOneElementOnOneWorkerAreCountedByHand) {
  // A worker with one element: 17 + 10 + 1 + 13. The vertex: 28 + 15 + 1, weights 34 + 20, and 1.
  const SlicShape shape{ElementType::Half, 4, 1, 1, 4, 1, 1};
  EXPECT_EQ(slicCycles(gc200Sdk(), shape, {{1}, {}, {}, {}, {}, {}}),
            Cycles(28 + 15 + 1 + 54 + 1 + 6 * 41));
}

TEST(SlicCycles, OfTwoChainsPassTwiceAndClearWhatTheFirstMisses) {
  // Pieces of 7 and 5 elements, five of which are fewer than the pipeline of halves holds.
  const SlicShape shape{ElementType::Half, 2, 1, 1, 4, 1, 2};
  const std::uint64_t first = 19 + (10 + 2 * 17) + (10 + 2 * 18);
  const std::uint64_t other = 19 + (9 + 2 * 20) + (9 + 2 * 22);
  EXPECT_EQ(slicCycles(gc200Sdk(), shape, {{7, 5}}),
            Cycles(25 + 12 + 1 + 2 * (34 + 16) + 7 + 6 * first + 2 + 24 + 6 * other));
}

TEST(SlicCycles, OfManyGroupsRepeatAllButTheFirstSubKernel) {
  // Eight groups: two turns. Stride 2 and three elements: 9 + 6, less one for float partials.
  const SlicShape shape{ElementType::Float, 4, 2, 8, 1, 3, 2};
  const std::uint64_t weights = 37 + 6 * 11;
  const std::uint64_t block = 2 * (weights + 21) + 7 + 15;
  const std::uint64_t first = kSlicWorkers * (21 + 10 + 1 + 3 + 14);
  const std::uint64_t other = kSlicWorkers * (21 + 10 + 3 + 14) * 2;
  EXPECT_EQ(slicCycles(gc200Sdk(), shape, {{3}}),
            Cycles(28 + 23 * 3 + 13 + 2 * block + 7 + 3 * first + 3 * other));
}

}  // namespace
}  // namespace ipusim::models
