// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/products/popsparse_block.h"
#include "models/ipu/cost/products/popsparse_elementwise.h"
#include "models/ipu/cost/uncalled/popsparse_rearrange.h"
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

TEST(SparseElementCycles, OfATransposeCountPairsOfFloatsOnce) {
  // Six columns: 2 + 3 * 3 for each non-zero; a worker has ceil(7 / 6) of a row's seven.
  const SparseElementShape shape{SparsePass::Transpose, ElementType::Float, {}, 2, 6, {7}};
  EXPECT_EQ(sparseElementWorkerCycles(gc200(), shape), Cycles(23 + 2 * (24 + 8 + 11 * 2)));
}

TEST(SparseElementCycles, OfGradWWalkAtACostOfItsOwn) {
  const SparseElementShape shape{SparsePass::GradW, ElementType::Half, {3, 2, 5}, 2, 7, {3}};
  // 7 = 4 + 2 + 1 columns: 11 + 1 + 3 + 4.
  EXPECT_EQ(sparseElementCycles(gc200(), shape),
            Cycles(75 + 2 * (26 * 3) + 6 * (35 + 2 * (8 + 19 * 3))));
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

TEST(SparseBlockCycles, OfHalfPartialsOnEightEnginesAreAsOfFloatPartials) {
  EXPECT_EQ(sparseBlockCycles(gc200(), twoRowsOfFiveBlocks(ElementType::Half, 8)),
            sparseBlockCycles(gc200(), twoRowsOfFiveBlocks(ElementType::Float, 8)));
}

TEST(SparseBlockCycles, OfAGradientOnTheEnginesWalkEachEntryOfARow) {
  SparseBlockShape shape{ElementType::Half, ElementType::Half, 8, {1, 0, 1}, 3, 20, {2, 1}};
  // Two groups of columns. Supervisor: entries of two blocks and of one.
  const std::uint64_t block = 15 + 4 + 2 * (8 + 16);
  const std::uint64_t row = (32 + 10 + 2 * block) + (32 + block);
  EXPECT_EQ(sparseBlockAmpGradWCycles(gc200(), shape),
            Cycles(75 + 23 + 16 + 3 * row + 6 * (5 + 3 * 3 * (54 - 4))));
  EXPECT_EQ(sparseBlockGradWCycles(gc200(), shape),
            Cycles(75 + 6 * (26 + 3 * (9 + 3 * (113 + 20 * 24)))));
}

TEST(SparseGatherCycles, ChargeTheWholeRestWhereThereIsNoVector) {
  // Two halves and no vector; 30: two vectors per worker, but the one with the rest has one.
  EXPECT_EQ(sparseGatherCycles(gc200(), ElementType::Half, 2), Cycles(18 + 6 * (23 + 10)));
  EXPECT_EQ(sparseGatherCycles(gc200(), ElementType::Half, 30), Cycles(18 + 6 * (23 + 13 + 5)));
}

TEST(SparseTransposeCycles, GoByGrainsOfTwoFloats) {
  // 8 matrices of 6 x 4 floats: two per worker, 3 x 2 grains.
  EXPECT_EQ(sparseTransposeCycles(gc200(), ElementType::Float, {8, 6, 4}),
            Cycles(7 + 6 * (29 + 2 * (18 + 3 * 12))));
  EXPECT_EQ(sparseBlockTransposeCycles(gc200(), {ElementType::Half, 8, 7, 32}),
            Cycles(18 + 6 * (34 + 2 * (3 + 2 * (3 + 46)))));
}

}  // namespace
}  // namespace ipusim::models
