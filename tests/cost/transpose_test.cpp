// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/movement/transpose.h"

#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

using namespace ipusim::literals;

Cycles cyclesOf(TransposeVertex vertex, Bytes element, std::uint64_t rows, std::uint64_t columns,
                std::uint64_t matrices) {
  return transposeCycles(toyMachine(), {vertex, element, rows, columns, matrices});
}

TEST(Transpose2DCycles, MovesFloatsInBlocksOfTwo) {
  // 27 + 3 (11 + 4 (6 + 3 * 4))
  EXPECT_EQ(cyclesOf(TransposeVertex::Transpose2D, 4_B, 8, 10, 3), 276_cycles);
}

TEST(Transpose2DCycles, MovesFloatsOneByOneWhereBlocksDoNotFit) {
  // 13 + 8 + 10 (5 + 14)
  EXPECT_EQ(cyclesOf(TransposeVertex::Transpose2D, 4_B, 7, 10, 1), 211_cycles);
  // 64 * 16 / 2 is not below 512: 13 + 8 + 18 (5 + 128)
  EXPECT_EQ(cyclesOf(TransposeVertex::Transpose2D, 4_B, 64, 18, 1), 2415_cycles);
}

TEST(Transpose2DCycles, MovesHalvesInBlocksOfFour) {
  // 39 + 2 (12 + 3 (15 + 4 * 2))
  EXPECT_EQ(cyclesOf(TransposeVertex::Transpose2D, 2_B, 12, 16, 2), 201_cycles);
  EXPECT_EQ(cyclesOf(TransposeVertex::Transpose2D, 2_B, 4, 4, 2), Cycles(34 + 30));
  EXPECT_EQ(cyclesOf(TransposeVertex::Transpose2D, 2_B, 12, 4, 2), Cycles(30 + 2 * 41));
  // 15 + 8 + 3 (5 + 12)
  EXPECT_EQ(cyclesOf(TransposeVertex::Transpose2D, 2_B, 5, 3, 1), 74_cycles);
}

TEST(Transpose1DCycles, GivesWholeMatricesToWorkers) {
  // 13 matrices are 3 for the busiest: 29 + 3 (18 + 2 * 12) = 155
  EXPECT_EQ(cyclesOf(TransposeVertex::Transpose1D, 2_B, 8, 8, 13), Cycles(7 + 6 * (155 - 7)));
  EXPECT_EQ(cyclesOf(TransposeVertex::Transpose1DSingleWorker, 2_B, 8, 8, 3), 155_cycles);
}

TEST(SplitTranspose1DCycles, SharesAMatrixByRowsThenByColumns) {
  // 7 rows of blocks over 6 workers: 2 x 2 blocks at most
  EXPECT_EQ(cyclesOf(TransposeVertex::SplitTranspose1D, 2_B, 28, 8, 1),
            Cycles(7 + 6 * (27 + 2 * 12 - 7)));
  // 2 rows, 3 workers each: 3 columns are one each
  EXPECT_EQ(cyclesOf(TransposeVertex::SplitTranspose1D, 2_B, 8, 12, 1), Cycles(7 + 6 * (29 - 7)));
  // 3 workers a matrix, 4 rows: 2 x 1
  EXPECT_EQ(cyclesOf(TransposeVertex::SplitTranspose1D, 2_B, 16, 4, 2), Cycles(7 + 6 * (45 - 7)));
}

TEST(TransposeCycles, RefusesWhatTheBlocksDoNotFit) {
  EXPECT_THROW(cyclesOf(TransposeVertex::Transpose1D, 4_B, 8, 8, 1), InternalError);
  EXPECT_THROW(cyclesOf(TransposeVertex::SplitTranspose1D, 2_B, 8, 6, 1), InternalError);
  EXPECT_THROW(cyclesOf(TransposeVertex::SplitTranspose1D, 2_B, 8, 8, 7), InternalError);
}

TEST(TransposeVertexFor, FollowsBlocksAndMatrices) {
  const Machine& machine = toyMachine();
  EXPECT_EQ(transposeVertexFor(machine, 4_B, 8, 8, 1), TransposeVertex::Transpose2D);
  EXPECT_EQ(transposeVertexFor(machine, 2_B, 8, 6, 1), TransposeVertex::Transpose2D);
  EXPECT_EQ(transposeVertexFor(machine, 2_B, 8, 8, 1), TransposeVertex::Transpose1DSingleWorker);
  EXPECT_EQ(transposeVertexFor(machine, 2_B, 8, 8, 3), TransposeVertex::SplitTranspose1D);
  EXPECT_EQ(transposeVertexFor(machine, 2_B, 8, 8, 4), TransposeVertex::Transpose1D);
}

}  // namespace
}  // namespace ipusim::models
