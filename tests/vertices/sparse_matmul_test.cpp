// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"
#include "tests/vertices/plain_data.h"
#include "workloads/vertices/products/products.h"

namespace ipusim::workloads {
namespace {

/// 3 x 2 with the middle row empty, times two columns: [[5, 0], [0, 0], [2, 3]].
SparseTile threeRows(ElementType type) {
  return {type, type, 1, 3, 2, 2, {{0, 0}, {2, 0}, {2, 1}}};
}

TEST(SparseMatMul, MultipliesElementByElementAndClearsEmptyRows) {
  for (const ElementType number : {ElementType::Float, ElementType::Half}) {
    const VertexType type = sparseMatMulVertex(threeRows(number));
    EXPECT_EQ(computed(type, {{5, 2, 3}, {1, 10, 100, 1000}, {7, 7, 7, 7, 7, 7}}, 2),
              (Numbers{5, 50, 0, 0, 302, 3020}));
  }
}

TEST(SparseMatMul, TakesABlockRowByRowAndColumnsOneAfterTheOther) {
  const VertexType type =
      sparseMatMulVertex({ElementType::Float, ElementType::Float, 4, 1, 2, 2, {{0, 1}}});
  // Only element (1, 2) of the block: row 1 of the result is row 4 + 2 of the dense operand.
  Numbers block(16, 0);
  block[1 * 4 + 2] = 3;
  Numbers dense(16, 9);
  dense[8 + 2] = 10;   // second row of blocks, first column
  dense[12 + 2] = 20;  // second column
  EXPECT_EQ(computed(type, {block, dense}, 2), (Numbers{0, 30, 0, 0, 0, 60, 0, 0}));
}

TEST(SparseMatMul, HoldsSumsInFloatAndStoresAHalfOnce) {
  const VertexType type = sparseMatMulVertex(
      {ElementType::Half, ElementType::Half, 1, 1, 3, 1, {{0, 0}, {0, 1}, {0, 2}}});
  // 2048 + 1 is no half, 2048 + 1 + 1 is.
  EXPECT_EQ(computed(type, {{2048, 1, 1}, {1, 1, 1}}, 2), (Numbers{2050}));
}

TEST(SparseMatMul, HasOneEdgeAFieldAndMetaInformation) {
  const VertexType type = sparseMatMulVertex(threeRows(ElementType::Float));
  ASSERT_EQ(type.fields.size(), 3U);
  EXPECT_EQ(type.fields[0].elements(), 3U);
  EXPECT_EQ(type.fields[1].elements(), 2U * 2U);
  EXPECT_EQ(type.fields[2].elements(), 3U * 2U);
  // Two pointers; 16 bits each: a sub-group of 6, 6 workers of 5, 2 rows of 2, 3 non-zeros.
  EXPECT_EQ(type.sizes.field_data, Bytes(2 * 4 + 2 * (6 + 6 * 5 + 2 * 2 + 3)));
  EXPECT_EQ(type.work.flops, Flops(2 * 3 * 2));
  EXPECT_EQ(type.name, "popsparse::SparseDenseMatMulElementWise<float,float>");
}

TEST(SparseMatMul, CostsTheWalkTheClearingAndItsSlowestWorker) {
  const VertexType type = sparseMatMulVertex(threeRows(ElementType::Float));
  // 6 elements cleared by 6 workers in 1 + 5 slots each; walk 30 + 47 + 46. The slowest of the
  // workers has the row of two non-zeros and two columns: 27 + (11 + 2 * 2).
  EXPECT_EQ(type.cycles(models::gc200()), Cycles(6 * (1 + 5) + 123 + 6 * (27 + 15)));
}

TEST(SparseMatMul, LoadsBlocksIntoTheMatrixEngines) {
  const VertexType type = sparseMatMulVertex(
      {ElementType::Half, ElementType::Half, 16, 2, 2, 12, {{0, 0}, {0, 1}, {1, 0}}});
  // 2 * 16 * 12 halves cleared: 64 per worker, 16 vectors; walk 42 + 46 + 56; each of 3 blocks
  // 64 + 3 + 12 to load and 22 + 1 + 4 * 2 for a worker's two columns.
  EXPECT_EQ(type.cycles(models::gc200()),
            Cycles(6 * (16 + 5) + 144 + 3 * 79 + 6 * (22 + 3 * (23 + 8))));
  EXPECT_EQ(type.work.flops, Flops(2 * 3 * 256 * 12));
}

}  // namespace
}  // namespace ipusim::workloads
