// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"
#include "tests/vertices/plain_data.h"
#include "workloads/vertices/elementwise/elementwise.h"

namespace ipusim::workloads {
namespace {

TEST(ReluGrad, LetsThroughWhereTheOutputIsPositive) {
  const Numbers out{0, 2, 0.5, 0};
  const Numbers gradient{3, -4, 5, 6};
  for (const Runs& runs : {Runs::one(4), Runs::list({1, 3})}) {
    EXPECT_EQ(
        computed(nonlinearityGradVertex({models::NonLinearity::Relu, ElementType::Half, runs}),
                 {out, gradient}, 2),
        (Numbers{0, -4, 5, 0}));
  }
}

TEST(ReluGrad, CostsThePublishedEstimateOfItsForm) {
  const VertexType run =
      nonlinearityGradVertex({models::NonLinearity::Relu, ElementType::Float, Runs::one(24)});
  EXPECT_EQ(run.cycles(models::gc200()), Cycles(9 + 6 * (20 + 5 + 3 + 4)));
  EXPECT_EQ(run.name, "popnn::NonLinearityGrad1D<float,RELU>");
  EXPECT_EQ(run.kind, VertexKind::Supervisor);
  EXPECT_EQ(run.sizes.state, Bytes(16));
  const VertexType list =
      nonlinearityGradVertex({models::NonLinearity::Relu, ElementType::Float, Runs::list({4, 2})});
  EXPECT_EQ(list.cycles(models::gc200()), Cycles(17 + (8 + 8 + 4) + (8 + 5 + 4)));
  EXPECT_EQ(list.name, "popnn::NonLinearityGrad2D<float,RELU>");
  EXPECT_EQ(list.sizes.field_data, Bytes(32));
}

TEST(NonlinearityGrad, IsTheSlopeOfItsFunction) {
  const Numbers gradient{1, 2, -3};
  const auto of = [&](models::NonLinearity function, const Numbers& saved) {
    return computed(nonlinearityGradVertex({function, ElementType::Float, Runs::one(3)}),
                    {saved, gradient}, 2);
  };
  EXPECT_EQ(of(models::NonLinearity::Sigmoid, {0.5, 0, 1}), (Numbers{0.25, 0, 0}));
  EXPECT_EQ(of(models::NonLinearity::Tanh, {0.5, 0, 1}), (Numbers{0.75, 2, 0}));
  // At 0 the slope of gelu and swish is one half; far from it 0 or 1.
  for (const auto function :
       {models::NonLinearity::Gelu, models::NonLinearity::GeluErf, models::NonLinearity::Swish}) {
    EXPECT_EQ(of(function, {0, 100, -100}), (Numbers{0.5, 2, 0}));
  }
}

TEST(Nonlinearity, ComputesInPlace) {
  for (const auto function : {models::NonLinearity::Gelu, models::NonLinearity::Swish}) {
    const VertexType vertex =
        nonlinearityVertex({function, ElementType::Float, Runs::list({2, 1})});
    EXPECT_EQ(computed(vertex, {{0, 50, -200}}, 0), (Numbers{0, 50, 0}));
  }
}

TEST(Nonlinearity, CostsThePublishedEstimateOfItsForm) {
  const VertexType run =
      nonlinearityVertex({models::NonLinearity::Swish, ElementType::Half, Runs::one(48)});
  EXPECT_EQ(run.cycles(models::gc200()), Cycles(9 + 6 * (21 + 3 + 2 * 3 + 5 + 4)));
  EXPECT_EQ(run.name, "popnn::NonLinearity1DInPlace<half,SWISH>");
  const VertexType list =
      nonlinearityVertex({models::NonLinearity::Gelu, ElementType::Float, Runs::list({4})});
  EXPECT_EQ(list.cycles(models::gc200()), Cycles(14 + 10 + 3 + 2 * 10 + 10 + 2));
}

TEST(InverseStdDev, IsOneOverTheRootOfTheVariance) {
  const VertexType vertex = inverseStdDevVertex({{1, 2}, 0});
  EXPECT_EQ(computed(vertex, {{1, 0, 3}, {5, 16, 13}}, 2), (Numbers{0.5, 0.25, 0.5}));
  EXPECT_EQ(vertex.cycles(models::gc200()), Cycles(6 + (4 + 5) + (4 + 5)));
}

}  // namespace
}  // namespace ipusim::workloads
