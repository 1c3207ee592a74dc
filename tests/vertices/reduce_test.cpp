// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "tests/support/toy_machine.h"
#include "tests/vertices/plain_data.h"
#include "workloads/vertices/reductions/reductions.h"

namespace ipusim::workloads {
namespace {

using models::ReduceKind;
using models::ReduceOp;

constexpr ReduceKind kSum{ReduceOp::Add, ElementType::Float, ElementType::Float};
constexpr ReduceKind kMaximum{ReduceOp::Maximum, ElementType::Half, ElementType::Half};

TEST(ReduceRows, ReducesColumnsWhateverTheGaps) {
  for (const std::uint64_t stride : {std::uint64_t{2}, std::uint64_t{5}, kNoStride}) {
    const VertexType type = reduceRowsVertex({kSum, 3, 2, stride});
    EXPECT_EQ(computed(type, {{}, {1, 2, 10, 20, 100, 200}}, 0), (Numbers{111, 222}));
    EXPECT_EQ(type.fields[1].edges(), stride == 2 ? 1U : 3U);
    EXPECT_EQ(type.work.flops, Flops(4));
  }
  EXPECT_EQ(computed(reduceRowsVertex({kMaximum, 2, 2, 2}), {{}, {-1, 7, -2, 9}}, 0),
            (Numbers{-1, 9}));
}

TEST(ReduceRows, SumsHalvesInFloat) {
  const ReduceKind wide{ReduceOp::Add, ElementType::Half, ElementType::Float};
  EXPECT_EQ(computed(reduceRowsVertex({wide, 2, 1, 1}), {{}, {2048, 1}}, 0), (Numbers{2049}));
}

TEST(ReduceRows, CostsThePublishedEstimateOfItsForm) {
  // Two at a time: 16 + 4 (3 + 5 + 3 + 10 - 1); an odd stride, one at a time: 16 + 8 (20).
  EXPECT_EQ(reduceRowsVertex({kSum, 10, 8, 8}).cycles(models::gc200()), Cycles(96));
  EXPECT_EQ(reduceRowsVertex({kSum, 10, 8, 9}).cycles(models::gc200()), Cycles(176));
  const VertexType listed = reduceRowsVertex({kSum, 2, 4, kNoStride});
  // 33 + 24 + 4 + (6 + 5 + 20) + 2 (4 + 2 + 3).
  EXPECT_EQ(listed.cycles(models::gc200()), Cycles(110));
  EXPECT_EQ(listed.sizes.field_data, Bytes(8));
  EXPECT_EQ(listed.sizes.state, Bytes(16));
}

TEST(ReduceRows, IsNamedAfterItsForm) {
  EXPECT_EQ(reduceRowsVertex({kSum, 2, 4, 4}).name,
            "popops::StridedReduce<popops::ReduceAdd,float,float>");
  EXPECT_EQ(reduceRowsVertex({kMaximum, 2, 4, kNoStride}).name,
            "popops::Reduce<popops::ReduceMax,half,half>");
}

TEST(ReduceRows, RefusesWhatItDoesNotCover) {
  EXPECT_THROW(reduceRowsVertex({kSum, 2, 4, 3}), InternalError);
  EXPECT_THROW(
      reduceRowsVertex({{ReduceOp::Multiply, ElementType::Half, ElementType::Half}, 2, 4, 4}),
      InternalError);
}

TEST(ReduceContinuous, ReducesEachRow) {
  EXPECT_EQ(computed(reduceContinuousVertex({kSum, 3, 2}), {{}, {1, 2, 3, 10, 20, 30}}, 0),
            (Numbers{6, 60}));
  EXPECT_EQ(computed(reduceContinuousVertex({kMaximum, 4, 1}), {{}, {1, 7, -3, 2}}, 0),
            (Numbers{7}));
}

TEST(ReduceContinuous, CostsThePublishedEstimateOfItsForm) {
  // 17 + 3 (10 / 2 + 12); for one output 17 + 10 2 / 4 + 10 mod 4.
  const VertexType rows = reduceContinuousVertex({kSum, 10, 4});
  EXPECT_EQ(rows.cycles(models::gc200()), Cycles(68));
  EXPECT_EQ(rows.sizes.state, Bytes(12));
  EXPECT_EQ(rows.work.flops, Flops(36));
  EXPECT_EQ(reduceContinuousVertex({kSum, 10, 1}).cycles(models::gc200()), Cycles(24));
}

}  // namespace
}  // namespace ipusim::workloads
