// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "ipusim/ids.h"
#include "tests/compression/trained_network.h"
#include "workloads/networks/compression/compression.h"
#include "workloads/networks/compression/dct_chop.h"

// A residual block learns to tell pictures apart, with its activations kept in codes.

namespace ipusim::workloads {
namespace {

constexpr std::uint64_t kClasses = 4;
constexpr std::uint64_t kSize = 16;
constexpr std::uint64_t kBatch = 8;
constexpr int kSteps = 200;
constexpr int kLast = 20;

const char* const kResidualBlock =
    "conv 4 3 pad 1; batch_norm; relu; save short; conv 4 3 pad 1; batch_norm; relu; "
    "conv 4 3 pad 1; batch_norm; add short; relu; average_pool 4; flatten; linear 4";

/// Stripes, whose direction is the class, and whose place and width are the step's.
TensorValues stripes(int step) {
  TensorValues values;
  for (std::uint64_t sample = 0; sample < kBatch; ++sample) {
    const double angle = 3.14159265 * static_cast<double>(sample % kClasses) / kClasses;
    const double phase = std::sin(12.9898 * static_cast<double>(sample) + 78.233 * step) * 40;
    const double width = 0.3 + 0.1 * std::sin(step + static_cast<double>(sample));
    for (std::uint64_t e = 0; e < kSize * kSize; ++e) {
      const auto x = static_cast<double>(e % kSize);
      const auto y = static_cast<double>(e / kSize);
      const double noise = std::sin(static_cast<double>(e * (sample + 3)) * 7.77 + step) * 0.3;
      values.push_back(std::sin(width * (x * std::cos(angle) + y * std::sin(angle)) + phase) +
                       noise);
    }
  }
  return values;
}

struct Learnt {
  double first_loss = 0;
  double last_loss = 0;       ///< mean of the last steps
  double gradient_error = 0;  ///< mean over some steps
  double ratio = 1;           ///< of the saved bytes
};

Learnt learnWith(const CodecPointer& codec, SignSource signs) {
  TrainedNetwork trained(kResidualBlock, {1, kSize, kSize}, kBatch);
  const NetworkTensorId input = trained.graph().tensorsOf(TensorRole::Input).front();
  NetworkGraph graph = trained.graph();
  CompressionChoice choice;
  choice.signs = signs;
  if (codec) graph = withCompression(graph, *codec, choice).graph;
  Learnt learnt;
  learnt.ratio = static_cast<double>(keptBytes(trained.graph()).value()) /
                 static_cast<double>(keptBytes(graph).value());
  constexpr int kBetweenErrors = 50;
  for (int step = 0; step < kSteps; ++step) {
    trained.set(input, stripes(step));
    if (codec && step % kBetweenErrors == 0) {
      learnt.gradient_error += trained.gradientError(graph) * kBetweenErrors / kSteps;
    }
    const double loss = trained.learn(graph);
    if (step == 0) learnt.first_loss = loss;
    if (step >= kSteps - kLast) learnt.last_loss += loss / kLast;
  }
  return learnt;
}

struct CodecCase {
  const char* name;
  CodecPointer codec;
  SignSource signs;
  double most_gradient_error;
  double most_loss;
};

class LossCurve : public testing::TestWithParam<CodecCase> {};

TEST_P(LossCurve, IsNearThatOfTheNetwork) {
  static const Learnt kPlain = learnWith(nullptr, SignSource::Decoded);
  EXPECT_LT(kPlain.last_loss, kPlain.first_loss / 3);
  const Learnt learnt = learnWith(GetParam().codec, GetParam().signs);
  RecordProperty("ratio", std::to_string(learnt.ratio));
  RecordProperty("gradient_error", std::to_string(learnt.gradient_error));
  RecordProperty("first_loss", std::to_string(learnt.first_loss));
  RecordProperty("last_loss", std::to_string(learnt.last_loss));
  RecordProperty("plain_loss", std::to_string(kPlain.last_loss));
  EXPECT_EQ(learnt.first_loss, kPlain.first_loss);
  EXPECT_GT(learnt.gradient_error, 0);
  EXPECT_LT(learnt.gradient_error, GetParam().most_gradient_error);
  EXPECT_LT(learnt.last_loss, GetParam().most_loss);
}

std::vector<CodecCase> codecCases() {
  const Quantiser random{4, 64, LevelRounding::Stochastic, 7};
  const SignSource decoded = SignSource::Decoded;
  const SignSource mask = SignSource::Mask;
  return {
      {"levels_of_8_bits", quantisingCodec({8}), decoded, 1, 1},
      {"levels_of_4_bits", quantisingCodec({4, 64}), decoded, 1, 1},
      {"levels_of_4_bits_at_random", quantisingCodec(random), decoded, 1, 1},
      {"levels_of_2_bits", quantisingCodec({2, 64}), decoded, 1, 1},
      {"dct_6", dctChopCodec({6}), decoded, 1, 1},
      {"dct_6_and_mask", dctChopCodec({6}), mask, 1, 1},
      {"dct_4", dctChopCodec({4}), decoded, 1, 1},
      {"dct_4_and_mask", dctChopCodec({4}), mask, 1, 1},
      {"dct_2_and_mask", dctChopCodec({2}), mask, 1, 1},
      {"dct_4_triangle_and_mask", dctChopCodec({4, DctCorner::Triangle}), mask, 1, 1},
      {"dct_4_of_8_bits_and_mask", quantised(dctChopCodec({4}), {8}), mask, 1, 1},
      {"rank_8_and_mask", lowRankCodec({8}), mask, 1, 1},
  };
}

INSTANTIATE_TEST_SUITE_P(Codecs, LossCurve, testing::ValuesIn(codecCases()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace ipusim::workloads
