// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "tests/networks/layer_check.h"
#include "tests/support/toy_machine.h"
#include "workloads/networks/fused_butterfly.h"

namespace ipusim::workloads {
namespace {

using models::gc200;
using models::toyMachine;

MakeLayer butterfly(const ButterflyShape& shape, bool has_bias = true) {
  return [=](const LayerSite& site) {
    return std::make_unique<ButterflyLayer>(site, shape, has_bias);
  };
}

TEST(ButterflyLayer, HasTheNumbersOfItsReference) {
  for (const Twiddles twiddles : {Twiddles::Tied, Twiddles::Untied}) {
    for (const StageOrder order : {StageOrder::Increasing, StageOrder::Decreasing}) {
      EXPECT_TRUE(checkLayer(toyMachine(), {5, 16}, butterfly({16, twiddles, order})));
      EXPECT_TRUE(checkLayer(gc200(), {40, 64}, butterfly({64, twiddles, order}, false)));
    }
  }
  EXPECT_TRUE(
      checkLayer(toyMachine(), {1, 2}, butterfly({2, Twiddles::Tied, StageOrder::Increasing})));
}

// A decimation-in-time FFT after a bit reversal has, in the stage of stride s, twiddles (1, w; 1,
// -w) with w = exp(-pi i j / s). Only s = 1 and j = 0, two points per block, have real twiddles.
// With these in all stages the butterfly is a Walsh-Hadamard transform.
TEST(ButterflyLayer, IsAWalshHadamardTransformAtItsTwiddles) {
  constexpr std::uint64_t kFeatures = 16;
  const ButterflyShape shape{kFeatures, Twiddles::Tied, StageOrder::Increasing};
  Values twiddles;
  for (std::uint64_t j = 0; j + 1 < kFeatures; ++j) twiddles.insert(twiddles.end(), {1, 1, 1, -1});
  Values x(kFeatures);
  for (std::uint64_t i = 0; i < kFeatures; ++i) x[i] = static_cast<double>(i * i % 7) - 2;
  const Values y = butterflyReference(shape, twiddles, x);
  for (std::uint64_t i = 0; i < kFeatures; ++i) {
    double sum = 0;
    for (std::uint64_t j = 0; j < kFeatures; ++j) {
      sum += (__builtin_popcountll(i & j) % 2 == 0 ? 1 : -1) * x[j];
    }
    EXPECT_NEAR(y[i], sum, 1e-12);
  }
}

// A DFT of N points on real and imaginary parts is an untied butterfly of 2N features. A stage that
// rotates each odd input (real, imaginary) comes before each stage that adds and subtracts. The
// test uses four points, whose rotations are quarter turns: permutations and signs of the halves.
TEST(ButterflyLayer, IsADiscreteFourierTransformOfFourPoints) {
  // Features are (bit-reversed point, part): stride 1 rotates a point, strides 2 and 4 add points.
  const ButterflyShape shape{8, Twiddles::Untied, StageOrder::Increasing};
  const Values x{1, 2, -1, 0.5};
  Values rows{x[0], 0, x[2], 0, x[1], 0, x[3], 0};
  const auto stage = [&](std::uint64_t stride, const Values& blocks) {
    Values twiddles(4 * 4 * 3);
    for (std::uint64_t s = 0; s < 3; ++s) {
      for (std::uint64_t pair = 0; pair < 4; ++pair) {
        for (std::uint64_t e = 0; e < 4; ++e) {
          const bool own = (std::uint64_t{1} << s) == stride;
          twiddles[(s * 4 + pair) * 4 + e] = own ? blocks[pair * 4 + e] : e == 0 || e == 3;
        }
      }
    }
    rows = butterflyReference(shape, twiddles, rows);
  };
  const Values sums{1, 1, 1, -1, 1, 1, 1, -1, 1, 1, 1, -1, 1, 1, 1, -1};
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

TEST(ButterflyLayer, CountsItsParametersAndWork) {
  Graph graph;
  const ButterflyShape shape{1024, Twiddles::Tied, StageOrder::Increasing};
  const ButterflyLayer layer({graph, gc200(), "layer", 50}, shape, true);
  EXPECT_EQ(countOf(layer), 4U * 1023 + 1024);
  EXPECT_EQ(layer.forwardFlops(), Flops(50 * 1024 * (3 * 10 + 1)));
}

}  // namespace
}  // namespace ipusim::workloads
