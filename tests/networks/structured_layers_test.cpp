// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/products/structured_layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numeric>
#include <unordered_map>

#include "ipusim/error.h"
#include "ipusim/ids.h"
#include "tests/networks/gradient_case.h"
#include "workloads/networks/graph/counts.h"
#include "workloads/networks/graph/evaluate.h"
#include "workloads/networks/operations/elementwise/unary.h"
#include "workloads/networks/operations/rows/loss.h"

namespace ipusim::workloads {
namespace {

/// The result of a layer without a bias on rows, (batch, inputs). `parameters` are in the order in
/// which the layer adds them.
TensorValues resultOf(const AddLayer& layer, const Shape& shape, const TensorValues& rows,
                      const std::vector<TensorValues>& parameters) {
  NetworkGraph graph;
  const NetworkTensorId x = graph.addSource("x", {shape}, TensorRole::Input);
  const NetworkTensorId y = layer({graph, "layer", x, ElementType::Float});
  std::unordered_map<std::size_t, TensorValues> sources{{indexOf(x), rows}};
  const std::vector<NetworkTensorId> learnt = graph.tensorsOf(TensorRole::Parameter);
  for (std::size_t p = 0; p < learnt.size(); ++p) {
    sources.emplace(indexOf(learnt[p]), parameters.at(p));
  }
  return evaluate(graph, sources)[indexOf(y)];
}

AddLayer butterflyOf(const ButterflyShape& shape) {
  return [=](const LayerSite& site) { return addButterflyLayer(site, shape); };
}

// A decimation-in-time FFT after a bit reversal has, in the stage of stride s, twiddles (1, w; 1,
// -w) with w = exp(-pi i j / s). Only s = 1 and j = 0, two points per block, have real twiddles.
// With these in all stages the butterfly is a Walsh-Hadamard transform.
TEST(ButterflyLayer, IsAWalshHadamardTransformAtItsTwiddles) {
  constexpr std::uint64_t kFeatures = 16;
  const ButterflyShape shape{kFeatures, Twiddles::Tied, StageOrder::Increasing};
  TensorValues twiddles;
  for (std::uint64_t j = 0; j + 1 < kFeatures; ++j) twiddles.insert(twiddles.end(), {1, 1, 1, -1});
  TensorValues x(kFeatures);
  for (std::uint64_t i = 0; i < kFeatures; ++i) x[i] = static_cast<double>(i * i % 7) - 2;
  const TensorValues y = resultOf(butterflyOf(shape), {1, kFeatures}, x, {twiddles});
  for (std::uint64_t i = 0; i < kFeatures; ++i) {
    double sum = 0;
    for (std::uint64_t j = 0; j < kFeatures; ++j) {
      sum += (__builtin_popcountll(i & j) % 2 == 0 ? 1 : -1) * x[j];
    }
    EXPECT_NEAR(y[i], sum, 1e-12);
  }
}

/// Twiddles of three stages on eight features: `blocks` in the stage of `stride`, which has four
/// pairs, and (1, 0; 0, 1) in the others.
TensorValues twiddlesOfStage(std::uint64_t stride, const TensorValues& blocks) {
  TensorValues twiddles;
  for (std::uint64_t s = 1; s <= 4; s *= 2) {
    for (std::size_t e = 0; e < blocks.size(); ++e) {
      const bool is_diagonal = e % 4 == 0 || e % 4 == 3;
      const double otherwise = is_diagonal ? 1 : 0;
      twiddles.push_back(s == stride ? blocks[e] : otherwise);
    }
  }
  return twiddles;
}

// A DFT of N points on real and imaginary parts is an untied butterfly of 2N features. A stage that
// rotates each odd input (real, imaginary) comes before each stage that adds and subtracts. The
// test uses four points, whose rotations are quarter turns: permutations and signs of the halves.
TEST(ButterflyLayer, IsADiscreteFourierTransformOfFourPoints) {
  // Features are (bit-reversed point, part): stride 1 rotates a point, strides 2 and 4 add points.
  const ButterflyShape shape{8, Twiddles::Untied, StageOrder::Increasing};
  const TensorValues x{1, 2, -1, 0.5};
  TensorValues rows{x[0], 0, x[2], 0, x[1], 0, x[3], 0};
  const auto stage = [&](std::uint64_t stride, const TensorValues& blocks) {
    rows = resultOf(butterflyOf(shape), {1, 8}, rows, {twiddlesOfStage(stride, blocks)});
  };
  const TensorValues sums{1, 1, 1, -1, 1, 1, 1, -1, 1, 1, 1, -1, 1, 1, 1, -1};
  stage(2, sums);
  // The last point turns by exp(-pi i / 2): (re, im) to (im, -re).
  stage(1, {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, -1, 0});
  stage(4, sums);
  for (std::uint64_t k = 0; k < 4; ++k) {
    std::complex<double> point = 0;
    for (std::uint64_t n = 0; n < 4; ++n) {
      point += std::polar(x[n], -2 * M_PI * static_cast<double>(k * n) / 4);
    }
    EXPECT_NEAR(rows[2 * k], point.real(), 1e-12);
    EXPECT_NEAR(rows[2 * k + 1], point.imag(), 1e-12);
  }
}

TEST(FusedButterflyLayer, HasTheNumbersOfTheButterfly) {
  const ButterflyShape shape{8, Twiddles::Untied, StageOrder::Decreasing};
  TensorValues x(16);
  std::iota(x.begin(), x.end(), -7);
  TensorValues twiddles(elementsOf(twiddleShape(shape)));
  for (std::size_t t = 0; t < twiddles.size(); ++t) twiddles[t] = std::sin(static_cast<double>(t));
  const AddLayer fused = [&](const LayerSite& site) { return addFusedButterflyLayer(site, shape); };
  EXPECT_EQ(resultOf(fused, {2, 8}, x, {twiddles}),
            resultOf(butterflyOf(shape), {2, 8}, x, {twiddles}));
}

TEST(CirculantLayer, ShiftsItsFirstColumnFromColumnToColumn) {
  // (1 3 2; 2 1 3; 3 2 1) (1, 10, 100)
  EXPECT_EQ(resultOf(addCirculantLayer, {1, 3}, {1, 10, 100}, {{1, 2, 3}}),
            (TensorValues{231, 312, 123}));
}

TEST(LowRankLayer, IsTheDenseLayerOfTheProductOfItsFactors) {
  const AddLayer layer = [](const LayerSite& site) { return addLowRankLayer(site, 2, 2); };
  // H G = (1 2; 3 4; 5 6) (1 0; 2 1) = (5 2; 11 4; 17 6)
  EXPECT_EQ(resultOf(layer, {1, 3}, {1, 10, 100}, {{1, 2, 3, 4, 5, 6}, {1, 0, 2, 1}}),
            (TensorValues{1815, 642}));
}

TEST(FastfoodLayer, IsAWalshHadamardTransformOfAPermutedOne) {
  // With ones on all diagonals: y = H P H x, H(i, j) = -1 to the ones that i and j share.
  const AddLayer layer = [](const LayerSite& site) { return addFastfoodLayer(site, 7); };
  const std::vector<std::uint64_t> from = randomPermutation(4, 7);
  const std::vector<TensorValues> h{{1, 1, 1, 1}, {1, -1, 1, -1}, {1, 1, -1, -1}, {1, -1, -1, 1}};
  const TensorValues x{1, 10, 100, 1000};
  TensorValues y(4);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t k = 0; k < 4; ++k) {
      for (std::size_t j = 0; j < 4; ++j) y[i] += h[i][k] * h[from[k]][j] * x[j];
    }
  }
  const TensorValues ones(4, 1);
  EXPECT_EQ(resultOf(layer, {1, 4}, x, {ones, ones, ones}), y);
}

TEST(FastfoodLayer, DrawsAPermutationBySeed) {
  std::vector<std::uint64_t> all(1024);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_THAT(randomPermutation(1024, 1), testing::UnorderedElementsAreArray(all));
  EXPECT_EQ(randomPermutation(1024, 1), randomPermutation(1024, 1));
  EXPECT_NE(randomPermutation(1024, 1), randomPermutation(1024, 2));
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

/// The identity shows the dense matrix of a layer whose low-rank part is zero.
TEST(PixelflyLayer, IsAMaskedDenseMatrix) {
  TensorValues identity(64);
  for (std::size_t i = 0; i < 8; ++i) identity[9 * i] = 1;
  // 4 columns of 3 blocks of 2 x 2, whose rows stand side by side: an input by its 6 outputs.
  TensorValues blocks(48);
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] = static_cast<double>(i + 1);
  for (const BagSum sum : {BagSum::Bags, BagSum::OneGather}) {
    const AddLayer layer = [&](const LayerSite& site) {
      return addPixelflyLayer(site, {8, 4, 2, 1, sum});
    };
    const TensorValues rows =
        resultOf(layer, {8, 8}, identity, {TensorValues(8), TensorValues(8), blocks});
    // Input 2 is the first of the second column of blocks, which has rows 0, 1 and 3.
    EXPECT_EQ(TensorValues(rows.begin() + 16, rows.begin() + 24),
              (TensorValues{13, 14, 15, 16, 0, 0, 17, 18}));
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

/// Parameters and work of a layer of 1024 features with a bias, on a batch of 50.
struct LayerCounts {
  std::uint64_t parameters;
  Flops flops;
};

constexpr std::uint64_t kBatch = 50;

LayerCounts countsOf(const AddLayer& layer) {
  NetworkGraph graph;
  const LayerSite site{graph, "layer", graph.addSource("x", {{kBatch, 1024}}, TensorRole::Input),
                       ElementType::Float};
  (void)site.withBias("", layer(site));
  return {parameterCount(graph), flopsOf(graph, NetworkPass::Forward)};
}

TEST(StructuredLayers, CountTheirParametersAndWork) {
  const LayerCounts butterfly =
      countsOf(butterflyOf({1024, Twiddles::Tied, StageOrder::Increasing}));
  EXPECT_EQ(butterfly.parameters, 4U * 1023 + 1024);
  EXPECT_EQ(butterfly.flops, Flops(kBatch * 1024 * (3 * 10 + 1)));
  const LayerCounts circulant = countsOf(addCirculantLayer);
  EXPECT_EQ(circulant.parameters, 2U * 1024);
  EXPECT_EQ(circulant.flops, Flops(kBatch * 1024 * (2 * 1024 + 1)));
  const LayerCounts fastfood =
      countsOf([](const LayerSite& site) { return addFastfoodLayer(site, 1); });
  EXPECT_EQ(fastfood.parameters, 3U * 1024 + 1024);
  // Two transforms of 10 stages, three diagonals, the bias.
  EXPECT_EQ(fastfood.flops, Flops(kBatch * 1024 * (2 * 10 + 3 + 1)));
  const LayerCounts low_rank =
      countsOf([](const LayerSite& site) { return addLowRankLayer(site, 1024, 1); });
  EXPECT_EQ(low_rank.parameters, 2U * 1024 + 1024);
  // Two products, one of rank 1 each, and the bias.
  EXPECT_EQ(low_rank.flops, Flops(kBatch * (4 * 1024 + 1024)));
  const LayerCounts pixelfly = countsOf([](const LayerSite& site) {
    return addPixelflyLayer(site, {1024, 16, 16, 32});
  });
  EXPECT_EQ(pixelfly.parameters, 327680U + 2 * 1024 * 32 + 1024);
  // Blocks, the sums of 20 of them, the low-rank part with the bias, and the sum of both.
  EXPECT_EQ(pixelfly.flops, Flops(kBatch * (2 * 327680 + 19 * 1024 + (4 * 32 + 1) * 1024 + 1024)));
}

/// The loss of a network with a hidden layer and relu.
NetworkTensorId lossBehind(const AddLayer& layer, GradientCase& gradients) {
  NetworkGraph& graph = gradients.graph();
  const LayerSite hidden{graph, "hidden", gradients.input({5, 8}, -1, 1), ElementType::Float};
  const NetworkTensorId y = hidden.withBias("", layer(hidden));
  const LayerSite output{graph, "output", gradients.add(unary(UnaryFunction::Relu), {y}),
                         ElementType::Float};
  const NetworkTensorId logits = output.linear("", output.x, 3, true);
  gradients.drawParameters(-1, 1);
  return gradients.add(crossEntropyLoss(), {logits, gradients.classes({5}, 3)});
}

TEST(StructuredLayers, HaveTheGradientsOfDifferencesOfALoss) {
  const std::vector<AddLayer> layers{
      [](const LayerSite& site) { return site.linear("", site.x, 8, false); },
      butterflyOf({8, Twiddles::Tied, StageOrder::Increasing}),
      butterflyOf({8, Twiddles::Untied, StageOrder::Decreasing}),
      addCirculantLayer,
      [](const LayerSite& site) { return addFastfoodLayer(site, 1); },
      [](const LayerSite& site) { return addLowRankLayer(site, 8, 2); },
      [](const LayerSite& site) {
        return addPixelflyLayer(site, {8, 4, 2, 2});
      },
      [](const LayerSite& site) {
        return addPixelflyLayer(site, {8, 4, 2, 2, BagSum::OneGather});
      },
  };
  for (std::size_t l = 0; l < layers.size(); ++l) {
    SCOPED_TRACE(l);
    GradientCase gradients;
    gradients.expectGradientsOf(lossBehind(layers[l], gradients));
  }
}

}  // namespace
}  // namespace ipusim::workloads
