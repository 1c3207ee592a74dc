// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/pixelfly.h"

#include <gmock/gmock.h>

#include "ipusim/error.h"
#include "tests/networks/layer_check.h"
#include "tests/support/toy_machine.h"

namespace ipusim::workloads {
namespace {

using models::gc200;
using models::toyMachine;

constexpr std::uint64_t kPixelflyBatch = 50;

MakeLayer pixelfly(const PixelflyShape& shape) {
  return [shape](const LayerSite& site) { return std::make_unique<PixelflyLayer>(site, shape); };
}

TEST(PixelflyLayer, HasTheNumbersOfItsReference) {
  for (const BagSum sum : {BagSum::Bags, BagSum::OneGather}) {
    EXPECT_TRUE(checkLayer(toyMachine(), {5, 16}, pixelfly({16, 4, 2, 3, sum})));
    EXPECT_TRUE(checkLayer(toyMachine(), {3, 16}, pixelfly({16, 8, 4, 1, sum})));
    EXPECT_TRUE(checkLayer(gc200(), {10, 32}, pixelfly({32, 4, 4, 8, sum})));
  }
}

TEST(PixelflyMask, HasTheDiagonalAndPartnersThatDifferInABit) {
  EXPECT_EQ(pixelflyBlocks({4, 4, 1, 1}),
            (std::vector<std::vector<std::uint64_t>>{{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}}));
  // Cells of two elements, in blocks of one.
  EXPECT_THAT(pixelflyBlocks({8, 4, 1, 1})[5], testing::ElementsAre(0, 1, 4, 5, 6, 7));
}

TEST(PixelflyMask, IsCoarserWhereBlocksAreLargerThanItsCells) {
  EXPECT_EQ(pixelflyBlocks({8, 8, 2, 1}), pixelflyBlocks({8, 4, 2, 1}));
  EXPECT_THAT(pixelflyBlocks({8, 8, 4, 1}), testing::Each(testing::ElementsAre(0, 1)));
}

/// The identity shows the dense matrix of a layer without a low-rank part.
TEST(PixelflyLayer, IsAMaskedDenseMatrix) {
  Graph graph;
  const PixelflyLayer layer({graph, toyMachine(), "layer", 8}, {8, 4, 2, 1});
  Values identity(64);
  for (std::size_t i = 0; i < 8; ++i) identity[9 * i] = 1;
  Values blocks(48);  // 4 columns of 3 blocks of 2 x 2
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] = static_cast<double>(i + 1);
  const Values rows = layer.reference({blocks, Values(8), Values(8), Values(8)}, identity);
  // Input 2 is the first column of the second column of blocks, which has rows 0, 1 and 3.
  EXPECT_EQ(Values(rows.begin() + 16, rows.begin() + 24), (Values{13, 15, 17, 19, 0, 0, 21, 23}));
}

TEST(PixelflyLayer, CountsItsParametersAndWork) {
  Graph graph;
  const PixelflyLayer layer({graph, gc200(), "layer", kPixelflyBatch}, {1024, 16, 16, 32});
  EXPECT_EQ(countOf(layer), 327680U + 2 * 1024 * 32 + 1024);
  EXPECT_EQ(layer.denseParameters(), 1024U * 1024 + 1024);
  // Blocks, the sums of 20 of them, the low-rank part with the bias, and the sum of both.
  EXPECT_EQ(layer.forwardFlops(),
            Flops(kPixelflyBatch * (2 * 327680 + 19 * 1024 + (4 * 32 + 1) * 1024 + 1024)));
  EXPECT_EQ(layer.problems().back().groups, 64U);
}

/// A square mask has N^2 (log2 e + 1) / e elements, with e = min(butterfly size, N / block).
TEST(PixelflyMask, HasTheElementsOfTheClosedForm) {
  for (const auto& [size, block, elements] : {std::tuple{16U, 16U, 327680U},
                                              {16U, 64U, 327680U},
                                              {128U, 64U, 327680U},
                                              {2U, 32U, 1024U * 1024},
                                              {128U, 8U, 65536U},
                                              {256U, 32U, 196608U}}) {
    const auto blocks = pixelflyBlocks({1024, size, block, 1});
    EXPECT_EQ(blocks.size() * blocks.front().size() * block * block, elements);
  }
}

TEST(PixelflyFault, NamesTheOptionAndWhatIsWanted) {
  EXPECT_FALSE(pixelflyFault({1024, 16, 16, 32}));
  const auto fault = [](const PixelflyShape& shape) { return pixelflyFault(shape).value().key; };
  EXPECT_EQ(fault({1024, 12, 16, 32}), "butterfly_size");
  EXPECT_EQ(fault({1024, 1, 16, 32}), "butterfly_size");
  EXPECT_EQ(fault({784, 32, 16, 32}), "butterfly_size");
  EXPECT_EQ(fault({1024, 16, 48, 32}), "block");
  EXPECT_EQ(fault({784, 16, 16, 32}), "features");
  EXPECT_EQ(pixelflyFault({1024, 16, 48, 32})->wanted, "a divisor of 1024");
  EXPECT_THROW(pixelflyBlocks({784, 16, 16, 32}), InternalError);
}

}  // namespace
}  // namespace ipusim::workloads
