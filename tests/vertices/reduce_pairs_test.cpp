// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"
#include "tests/vertices/plain_data.h"
#include "workloads/vertices/reductions/reductions.h"

namespace ipusim::workloads {
namespace {

TEST(ReducePairs, AddsTheSecondRowsToTheFirst) {
  const VertexType type = reducePairsVertex({ElementType::Float, 2, 2, 2});
  EXPECT_EQ(computed(type, {{}, {1, 2, 3, 4}, {10, 20, 30, 40}}, 0), (Numbers{11, 22, 33, 44}));
  EXPECT_EQ(type.work.flops, Flops(4));
  EXPECT_EQ(type.name, "popops::Reduce<ReduceAdd,float,float>");
}

TEST(ReducePairs, CostsThePublishedEstimateOfItsForm) {
  // A row of 8 floats, two at a time: 16 + 4 (3 + 5 + 3 + 2 - 1).
  EXPECT_EQ(reducePairsVertex({ElementType::Float, 1, 8, 8}).cycles(models::gc200()), Cycles(64));
  // A column of 8: 17 + 7 (2 / 2 + 12).
  EXPECT_EQ(reducePairsVertex({ElementType::Float, 8, 1, 1}).cycles(models::gc200()), Cycles(108));
}

}  // namespace
}  // namespace ipusim::workloads
