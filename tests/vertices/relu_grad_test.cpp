// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"
#include "tests/vertices/plain_data.h"
#include "workloads/vertices/elementwise.h"

namespace ipusim::workloads {
namespace {

TEST(ReluGrad, LetsThroughWhereTheOutputIsPositive) {
  const Numbers out{0, 2, 0.5, 0};
  const Numbers gradient{3, -4, 5, 6};
  for (const Runs& runs : {Runs::one(4), Runs::list({1, 3})}) {
    EXPECT_EQ(computed(reluGradVertex({ElementType::Half, runs}), {out, gradient}, 2),
              (Numbers{0, -4, 5, 0}));
  }
}

TEST(ReluGrad, CostsThePublishedEstimateOfItsForm) {
  const VertexType run = reluGradVertex({ElementType::Float, Runs::one(24)});
  EXPECT_EQ(run.cycles(models::gc200()), Cycles(9 + 6 * (20 + 5 + 3 + 4)));
  EXPECT_EQ(run.name, "popnn::NonLinearityGrad1D<float,RELU>");
  EXPECT_EQ(run.kind, VertexKind::Supervisor);
  EXPECT_EQ(run.sizes.state, Bytes(16));
  const VertexType list = reluGradVertex({ElementType::Float, Runs::list({4, 2})});
  EXPECT_EQ(list.cycles(models::gc200()), Cycles(17 + (8 + 8 + 4) + (8 + 5 + 4)));
  EXPECT_EQ(list.name, "popnn::NonLinearityGrad2D<float,RELU>");
  EXPECT_EQ(list.sizes.field_data, Bytes(32));
}

}  // namespace
}  // namespace ipusim::workloads
