// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/low_rank.h"

#include <gtest/gtest.h>

#include "tests/networks/layer_check.h"
#include "tests/support/toy_machine.h"

namespace ipusim::workloads {
namespace {

using models::gc200;
using models::toyMachine;

constexpr std::uint64_t kLowRankBatch = 50;

MakeLayer lowRank(const LowRankShape& shape) {
  return [shape](const LayerSite& site) { return std::make_unique<LowRankLayer>(site, shape); };
}

TEST(LowRankLayer, HasTheNumbersOfItsReference) {
  EXPECT_TRUE(checkLayer(toyMachine(), {5, 16}, lowRank({16, 16, 1})));
  EXPECT_TRUE(checkLayer(toyMachine(), {3, 10}, lowRank({10, 7, 3})));
  EXPECT_TRUE(checkLayer(gc200(), {50, 128}, lowRank({128, 128, 1})));
  EXPECT_TRUE(checkLayer(gc200(), {8, 64}, lowRank({64, 64, 16})));
}

TEST(LowRankLayer, IsTheDenseLayerOfTheProductOfItsFactors) {
  Graph graph;
  const LowRankLayer layer({graph, toyMachine(), "layer", 1}, {3, 2, 2});
  // H^T G = (1 2; 3 4; 5 6) (1 0; 2 1) = (5 2; 11 4; 17 6)
  EXPECT_EQ(layer.reference({{1, 2, 3, 4, 5, 6}, {1, 0, 2, 1}, {100, 200}}, {1, 10, 100}),
            (Values{1915, 842}));
}

TEST(LowRankLayer, CountsItsParametersAndWork) {
  Graph graph;
  const LowRankLayer layer({graph, gc200(), "layer", kLowRankBatch}, {1024, 1024, 1});
  EXPECT_EQ(countOf(layer), 2U * 1024 + 1024);
  EXPECT_EQ(layer.denseParameters(), 1024U * 1024 + 1024);
  // Two products, one of rank 1 each, and the bias.
  EXPECT_EQ(layer.forwardFlops(), Flops(kLowRankBatch * (4 * 1024 + 1024)));
  EXPECT_EQ(layer.problems().front().n, 1U);
}

}  // namespace
}  // namespace ipusim::workloads
