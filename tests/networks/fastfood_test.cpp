// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/fastfood.h"

#include <gmock/gmock.h>

#include <numeric>

#include "tests/networks/layer_check.h"
#include "tests/support/toy_machine.h"

namespace ipusim::workloads {
namespace {

using models::gc200;
using models::toyMachine;

constexpr std::uint64_t kFastfoodBatch = 50;

MakeLayer fastfood(std::uint64_t features) {
  return [features](const LayerSite& site) {
    return std::make_unique<FastfoodLayer>(site, FastfoodShape{features});
  };
}

TEST(FastfoodLayer, HasTheNumbersOfItsReference) {
  EXPECT_TRUE(checkLayer(toyMachine(), {5, 16}, fastfood(16)));
  EXPECT_TRUE(checkLayer(toyMachine(), {1, 2}, fastfood(2)));
  EXPECT_TRUE(checkLayer(toyMachine(), {3, 64}, fastfood(64)));
  EXPECT_TRUE(checkLayer(gc200(), {50, 32}, fastfood(32)));
}

TEST(FastfoodLayer, IsAWalshHadamardTransformOfAPermutedOne) {
  // With ones on all diagonals: y = H P H x, H(i, j) = -1 to the ones that i and j share.
  Graph graph;
  const FastfoodLayer layer({graph, toyMachine(), "layer", 1}, {4, 7});
  const std::vector<std::uint64_t> from = randomPermutation(4, 7);
  const std::vector<Values> h{{1, 1, 1, 1}, {1, -1, 1, -1}, {1, 1, -1, -1}, {1, -1, -1, 1}};
  const Values x{1, 10, 100, 1000};
  Values y(4);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t k = 0; k < 4; ++k) {
      for (std::size_t j = 0; j < 4; ++j) y[i] += h[i][k] * h[from[k]][j] * x[j];
    }
  }
  const Values ones(4, 1);
  EXPECT_EQ(layer.reference({ones, ones, ones, Values(4)}, x), y);
}

TEST(FastfoodLayer, DrawsAPermutationBySeed) {
  std::vector<std::uint64_t> all(1024);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_THAT(randomPermutation(1024, 1), testing::UnorderedElementsAreArray(all));
  EXPECT_EQ(randomPermutation(1024, 1), randomPermutation(1024, 1));
  EXPECT_NE(randomPermutation(1024, 1), randomPermutation(1024, 2));
}

TEST(FastfoodLayer, CountsItsParametersAndWork) {
  Graph graph;
  const FastfoodLayer layer({graph, gc200(), "layer", kFastfoodBatch}, {1024});
  EXPECT_EQ(countOf(layer), 3U * 1024 + 1024);
  EXPECT_EQ(layer.denseParameters(), 1024U * 1024 + 1024);
  // Two transforms of 10 stages, three diagonals, the bias.
  EXPECT_EQ(layer.forwardFlops(), Flops(kFastfoodBatch * 1024 * (2 * 10 + 3 + 1)));
}

}  // namespace
}  // namespace ipusim::workloads
