// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/popsparse_block.h"
#include "models/ipu/cost/popsparse_elementwise.h"
#include "models/ipu/cost/workers.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

constexpr std::uint64_t kWalk = 30 + 47 + 46;  // one bucket of one subgroup

Cycles forward(ElementType type, std::uint64_t columns, std::uint64_t slots) {
  const SparseElementShape shape{SparsePass::Forward, type, {}, 2, columns, {3}};
  EXPECT_EQ(sparseElementWorkerCycles(gc200(), shape), Cycles(slots));
  return sparseElementCycles(gc200(), shape);
}

TEST(SparseElementCycles, OfTwoRowsOfThreeNonZeros) {
  EXPECT_EQ(forward(ElementType::Float, 4, 25 + 2 * (13 + 9)), Cycles(kWalk + 6 * 69));
  EXPECT_EQ(forward(ElementType::Float, 8, 30 + 2 * (13 + 12 + 18 + 1)), Cycles(kWalk + 6 * 118));
  EXPECT_EQ(forward(ElementType::Half, 8, 28 + 2 * (15 + 9)), Cycles(kWalk + 6 * 76));
  EXPECT_EQ(forward(ElementType::Half, 16, 33 + 2 * (12 + 16 + 18)), Cycles(kWalk + 6 * 125));
}

TEST(SparseElementCycles, WalkPastBucketsOfOthers) {
  const SparseWalk walk{30, 32, 47, 46};
  EXPECT_EQ(sparseWalkCycles(walk, {4, 1, 3}), Cycles(30 + 32 * 3 * 3 + 47 * 2 + 46));
  // 46 + 47 * 1.5, rounded down, for each of two buckets
  EXPECT_EQ(sparseWalkCycles(walk, {2, 2, 2}), Cycles(30 + 2 * 116));
}

SparseBlockShape twoRowsOfFiveBlocks(ElementType partials, std::uint32_t units) {
  SparseBlockShape shape{ElementType::Half, partials, 16, {}, 2, 10, {5}};
  shape.conv_units = units;
  return shape;
}

TEST(SparseBlockCycles, LoadABlockAndStreamTheColumnsThroughIt) {
  const std::uint64_t walk = 42 + 46 + 56;
  EXPECT_EQ(sparseBlockCycles(gc200(), twoRowsOfFiveBlocks(ElementType::Half, 16)),
            Cycles(walk + 10 * (64 + 3 + 12) + 6 * (22 + 10 * (22 + 40))));
  EXPECT_EQ(sparseBlockCycles(gc200(), twoRowsOfFiveBlocks(ElementType::Float, 8)),
            Cycles(walk + 10 * (64 + 3 + 24) + 6 * (23 + 10 * 2 * (24 + 40))));
}

}  // namespace
}  // namespace ipusim::models
