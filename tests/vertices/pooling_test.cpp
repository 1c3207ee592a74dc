// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/reductions/pooling.h"

#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"
#include "tests/vertices/plain_data.h"
#include "workloads/vertices/elementwise/dropout.h"

namespace ipusim::workloads {
namespace {

using models::PoolingVertex;

/// Windows of two elements that move by one over a field of three, with one element of padding.
WindowBlock padded(PoolingDirection direction) {
  return {direction, {3}, {4}, {2}, {1}, {1}, {1}};
}

TEST(Pooling, TakesTheMaximumOfWhatIsInTheField) {
  const VertexType vertex = poolingVertex(
      {PoolingVertex::Max, ElementType::Float, 1, 2, padded(PoolingDirection::Forward)});
  EXPECT_EQ(computed(vertex, {{}, {-1, 5, 4, 2, 3, 6}}, 0), (Numbers{-1, 5, 4, 5, 4, 6, 3, 6}));
  EXPECT_EQ(vertex.name, "popnn::MaxPooling<float>");
}

TEST(Pooling, SumsForwardAndBackward) {
  const auto sum = [](PoolingDirection direction) {
    return poolingVertex({PoolingVertex::Sum, ElementType::Float, 1, 1, padded(direction), 0.5F});
  };
  EXPECT_EQ(computed(sum(PoolingDirection::Forward), {{}, {2, 4, 6}}, 0), (Numbers{1, 3, 5, 3}));
  EXPECT_EQ(computed(sum(PoolingDirection::Backward), {{}, {2, 4, 6, 8}}, 0), (Numbers{3, 5, 7}));
}

TEST(Pooling, GivesTheGradientToEveryMaximum) {
  const VertexType vertex = poolingVertex(
      {PoolingVertex::MaxGradient, ElementType::Half, 1, 1, padded(PoolingDirection::Backward)});
  // The windows have the maxima 7, 7, 7 and 1.
  const Numbers field{7, 7, 1};
  EXPECT_EQ(computed(vertex, {{}, field, {7, 7, 7, 1}, {1, 2, 4, 8}}, 0), (Numbers{3, 6, 8}));
}

TEST(Pooling, CostsThePublishedEstimate) {
  // Twelve positions without padding: two for each worker, in one row of two elements of a window.
  const VertexType vertex =
      poolingVertex({PoolingVertex::Max,
                     ElementType::Half,
                     1,
                     4,
                     {PoolingDirection::Forward, {13}, {12}, {2}, {1}, {1}, {0}}});
  const std::uint64_t item = 23 + 2 + 7 + 3;
  EXPECT_EQ(vertex.cycles(models::gc200()),
            Cycles(13 + 6 * (23 + (4 + 2) + 9 + 1 + 2 * 5 + 15 + 2 * item)));
}

TEST(Dropout, DropsAShareOfTheElementsAndScalesTheOthers) {
  const DropoutRule rule{0.25, 3};
  std::uint64_t dropped = 0;
  constexpr std::uint64_t kElements = 10000;
  for (std::uint64_t e = 0; e < kElements; ++e) {
    if (rule.factor(e) == 0) {
      ++dropped;
    } else {
      EXPECT_EQ(rule.factor(e), 1 / 0.75);
    }
  }
  EXPECT_NEAR(static_cast<double>(dropped) / kElements, 0.25, 0.02);
}

TEST(Dropout, CountsElementsFromTheFirst) {
  const DropoutRule rule{0.5, 1};
  const VertexType vertex = dropoutVertex({ElementType::Float, 4, rule});
  EXPECT_EQ(computed(vertex, {{1, 1, 1, 1}, {6}}, 2),
            (Numbers{rule.factor(6), rule.factor(7), rule.factor(8), rule.factor(9)}));
  EXPECT_EQ(vertex.cycles(models::gc200()), Cycles(150 + 2 * (4 + 1) / 2));
}

}  // namespace
}  // namespace ipusim::workloads
