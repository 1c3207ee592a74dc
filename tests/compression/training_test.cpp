// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/compression/learning.h"

// What codecs do to gradients, and to what a network learns. compression_study has more seeds.

namespace ipusim::workloads {
namespace {

constexpr std::uint32_t kTrainingSeed = 1;

Coding codingOf(const std::string& name) {
  const std::vector<Coding> all = codings();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Coding& one) { return one.name == name; });
  EXPECT_NE(found, all.end()) << name;
  return *found;
}

/// The error of the gradients of the first step lies between these: half of what it was, and one
/// and a half times that.
struct ErrorBounds {
  const char* coding;
  double least;
  double most;
};

class GradientError : public testing::TestWithParam<ErrorBounds> {};

TEST_P(GradientError, IsThatOfTheCodec) {
  const double error = firstGradientError(codingOf(GetParam().coding), kTrainingSeed);
  RecordProperty("error", std::to_string(error));
  EXPECT_GT(error, GetParam().least);
  EXPECT_LT(error, GetParam().most);
}

INSTANTIATE_TEST_SUITE_P(
    Codecs, GradientError,
    testing::Values(
        ErrorBounds{"half", 7.9e-05, 0.000237}, ErrorBounds{"float8", 0.0111, 0.0333},
        ErrorBounds{"quantise_8", 0.0194, 0.0581}, ErrorBounds{"quantise_4", 0.0548, 0.164},
        ErrorBounds{"quantise_4_stochastic", 0.0619, 0.186}, ErrorBounds{"quantise_2", 0.607, 1.82},
        ErrorBounds{"dct_6", 0.34, 1.02}, ErrorBounds{"dct_6_mask", 0.0513, 0.154},
        ErrorBounds{"dct_4", 0.38, 1.14}, ErrorBounds{"dct_4_mask", 0.0912, 0.274},
        ErrorBounds{"dct_4_triangle_mask", 0.221, 0.662},
        ErrorBounds{"dct_4_8_bits_mask", 0.184, 0.553}, ErrorBounds{"dct_2_mask", 0.294, 0.883},
        ErrorBounds{"low_rank_8_mask", 1.72, 5.16}),
    [](const auto& one) { return one.param.coding; });

const Learnt& plain() {
  static const Learnt kPlain = learnWith(codingOf("none"), kTrainingSeed);
  return kPlain;
}

TEST(Learning, WithoutCodesLowersTheLoss) {
  EXPECT_LT(plain().lastLoss(), plain().losses.front() / 3);
}

TEST(Learning, WithHalvesIsAsGood) {
  const Learnt learnt = learnWith(codingOf("half"), kTrainingSeed);
  EXPECT_EQ(learnt.losses.front(), plain().losses.front());
  EXPECT_LT(learnt.lastLoss(), 1.5 * plain().lastLoss());
}

TEST(Learning, WithFloat8LowersTheLoss) {
  const Learnt learnt = learnWith(codingOf("float8"), kTrainingSeed);
  EXPECT_EQ(learnt.losses.front(), plain().losses.front());
  EXPECT_LT(learnt.lastLoss(), learnt.losses.front() / 3);
  EXPECT_GT(learnt.ratio, 3.9);
}

TEST(Learning, WithATransformNeedsTheSignsOfARelu) {
  EXPECT_GT(learnWith(codingOf("dct_6"), kTrainingSeed).lastLoss(), 1);
  EXPECT_LT(learnWith(codingOf("dct_6_mask"), kTrainingSeed).lastLoss(),
            plain().losses.front() / 3);
}

}  // namespace
}  // namespace ipusim::workloads
