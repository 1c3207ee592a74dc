// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/compression/codec.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/compression/codec_case.h"
#include "workloads/networks/compression/dct_chop.h"

namespace ipusim::workloads {
namespace {

class LevelBits : public testing::TestWithParam<std::uint64_t> {
 protected:
  [[nodiscard]] static double stepOf(double magnitude) {
    return magnitude / static_cast<double>((1U << (GetParam() - 1)) - 1);
  }
};

TEST_P(LevelBits, KeepNumbersWithinHalfAStep) {
  const Shape shape{3, 9, 11};
  const TensorValues x = pictures(shape);
  const RoundTrip trip = roundTrip(*quantisingCodec({GetParam()}), {shape}, x);
  double magnitude = 0;
  for (const double value : x) magnitude = std::max(magnitude, std::abs(value));
  ASSERT_EQ(trip.scales, TensorValues{magnitude});
  EXPECT_LE(largestDifference(x, trip.decoded), stepOf(magnitude) / 2 * (1 + 1e-9));
  EXPECT_GE(largestDifference(x, trip.decoded), stepOf(magnitude) / 4);
}

TEST_P(LevelBits, KeepTheLargestNumberExactly) {
  const RoundTrip trip = roundTrip(*quantisingCodec({GetParam()}), {{5}}, {0, -3, 3, 1e-9, -1e-9});
  EXPECT_DOUBLE_EQ(trip.decoded[1], -3);
  EXPECT_DOUBLE_EQ(trip.decoded[2], 3);
  EXPECT_EQ(trip.decoded[0], 0);
}

TEST_P(LevelBits, KeepBlocksOfTheirOwnScale) {
  const RoundTrip trip =
      roundTrip(*quantisingCodec({GetParam(), 4}), {{8}}, {1, 2, -3, 0.5, 100, 200, -300, 50});
  EXPECT_EQ(trip.scales, (TensorValues{3, 300}));
  EXPECT_EQ(trip.scale_bytes, Bytes(8));
  for (std::size_t e = 0; e < 4; ++e) {
    EXPECT_NEAR(trip.decoded[e + 4], 100 * trip.decoded[e], 1e-9);
  }
}

TEST_P(LevelBits, MultiplyTheRatioOfTheTransform) {
  const Shape shape{4, 16, 16};
  for (const DctCorner corner : {DctCorner::Square, DctCorner::Triangle}) {
    for (const ElementType type : {ElementType::Float, ElementType::Half}) {
      const DctChop rule{4, corner};
      const auto codec = quantised(dctChopCodec(rule), {GetParam()});
      const RoundTrip trip = roundTrip(*codec, {shape, type}, pictures(shape));
      const double kept = corner == DctCorner::Square ? 16 : 10;
      const double type_bits = type == ElementType::Float ? 32 : 16;
      const auto before = static_cast<double>((elementsOf(shape) * sizeOf(type)).value());
      EXPECT_DOUBLE_EQ(before / static_cast<double>(trip.code_bytes.value()),
                       64 / kept * type_bits / static_cast<double>(GetParam()));
      EXPECT_EQ(trip.scale_bytes, Bytes(4));
    }
  }
}

TEST_P(LevelBits, RoundAtRandomWithoutBias) {
  const Shape shape{40};
  TensorValues x;
  for (int e = 0; e < 40; ++e) x.push_back(e == 0 ? 1 : std::sin(e));
  constexpr int kSeeds = 600;
  TensorValues mean(x.size(), 0);
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Quantiser rule{GetParam(), 0, LevelRounding::Stochastic, seed};
    const RoundTrip trip = roundTrip(*quantisingCodec(rule), {shape}, x);
    EXPECT_LT(largestDifference(x, trip.decoded), stepOf(1));
    for (std::size_t e = 0; e < x.size(); ++e) mean[e] += trip.decoded[e] / kSeeds;
  }
  // A coin's mean is within five deviations, of at most half a step each.
  EXPECT_LT(largestDifference(x, mean), 5 * stepOf(1) / 2 / std::sqrt(kSeeds));
}

INSTANTIATE_TEST_SUITE_P(All, LevelBits, testing::Values(2, 4, 8, 16));

TEST(Levels, AreThoseOfTheSeed) {
  const Shape shape{50};
  const TensorValues x = pictures({5, 10});
  const auto codeOf = [&](std::uint64_t seed) {
    const Quantiser rule{4, 0, LevelRounding::Stochastic, seed};
    return roundTrip(*quantisingCodec(rule), {shape}, x).code;
  };
  EXPECT_EQ(codeOf(3), codeOf(3));
  EXPECT_NE(codeOf(3), codeOf(4));
}

TEST(Levels, OfZerosAreZeros) {
  const RoundTrip trip = roundTrip(*quantisingCodec({8}), {{3}}, {0, 0, 0});
  EXPECT_EQ(trip.decoded, (TensorValues{0, 0, 0}));
}

TEST(Float8, TakesOneByteAndOneScale) {
  const Shape shape{3, 9, 11};
  for (const ElementType type : {ElementType::Float, ElementType::Half}) {
    const RoundTrip trip = roundTrip(*float8Codec(), {shape, type}, pictures(shape));
    const Bytes before = elementsOf(shape) * sizeOf(type);
    EXPECT_EQ(trip.code_bytes.value() * sizeOf(type).value(), before.value());
    EXPECT_EQ(trip.scale_bytes, Bytes(4));
  }
}

TEST(Float8, ScalesTheLargestNumberToTheLargestQuarters) {
  for (const double largest : {1e-20, 0.03, 1.0, 247.9, 248.1, 3e7}) {
    const RoundTrip trip = roundTrip(*float8Codec(), {{3}}, {0, -largest, largest / 2});
    EXPECT_GE(-trip.code[1], 128) << largest;
    EXPECT_LE(-trip.code[1], 240) << largest;
    EXPECT_NEAR(trip.decoded[1], -largest, largest / 16) << largest;
  }
}

TEST(Float8, KeepsNumbersWithinASixteenth) {
  TensorValues x{240};
  for (int e = 0; e < 2000; ++e) x.push_back(std::exp(-0.005 * e) * (e % 2 == 0 ? 200 : -200));
  const RoundTrip trip = roundTrip(*float8Codec(), {{x.size()}}, x);
  double worst = 0;
  for (std::size_t e = 0; e < x.size(); ++e) {
    if (std::abs(x[e]) < 0x1p-7) continue;  // below it, quarters are as far apart as at it
    worst = std::max(worst, std::abs(trip.decoded[e] / x[e] - 1));
  }
  EXPECT_LE(worst, 1.0 / 16);
  EXPECT_GT(worst, 1.0 / 20);
}

TEST(Float8, OfZerosAreZeros) {
  for (const ElementType type : {ElementType::Float, ElementType::Half}) {
    EXPECT_EQ(roundTrip(*float8Codec(), {{3}, type}, {0, 0, 0}).decoded, (TensorValues{0, 0, 0}));
  }
}

TEST(Signs, AreBits) {
  const RoundTrip trip = roundTrip(*signCodec(), {{2, 10}},
                                   {1, 0, 2, -1, 0, 0, 3, 0, 0, 1, 0, 5, 0, 0, 0, 0, 1, 2, 0, 4});
  EXPECT_EQ(trip.decoded,
            (TensorValues{1, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1}));
  EXPECT_EQ(trip.code_bytes, Bytes(4));
  EXPECT_EQ(trip.code, trip.code_again);
}

TEST(Sketch, KeepsWhatItCanAndIsAProjection) {
  const Shape shape{6, 4, 16};
  const TensorValues x = pictures(shape);
  double before = 1;
  for (const std::uint64_t rank : {4U, 8U, 15U}) {
    const RoundTrip trip = roundTrip(*lowRankCodec({rank, 1}), {shape}, x);
    EXPECT_LT(largestDifference(trip.code, trip.code_again), 1e-12);
    EXPECT_EQ(trip.code_bytes, Bytes(6 * 4 * rank * 4));
    const double error = relativeError(x, trip.decoded);
    EXPECT_LT(error, before);
    before = error;
  }
}

TEST(Codecs, SayWhatTheyWant) {
  EXPECT_TRUE(dctChopCodec({})->wantedInsteadOf({{8}}));
  EXPECT_FALSE(dctChopCodec({})->wantedInsteadOf({{8, 8}}));
  EXPECT_TRUE(lowRankCodec({8})->wantedInsteadOf({{8, 8}}));
  EXPECT_TRUE(halfCodec()->wantedInsteadOf({{8}, ElementType::Half}));
  EXPECT_EQ(quantised(dctChopCodec({}), {8, 64})->wantedInsteadOf({{8, 8}}),
            "blocks of 64 elements that divide its 16 values");
}

}  // namespace
}  // namespace ipusim::workloads
