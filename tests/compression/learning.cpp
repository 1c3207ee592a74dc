// SPDX-License-Identifier: Apache-2.0
#include "tests/compression/learning.h"

#include <cmath>
#include <numeric>

#include "ipusim/ids.h"
#include "tests/compression/numbered_network.h"
#include "workloads/networks/compression/dct_chop.h"

namespace ipusim::workloads {

namespace {

constexpr std::uint64_t kClasses = 4;
constexpr std::uint64_t kSize = 16;
constexpr std::uint64_t kBatch = 8;
constexpr int kBetweenSeeds = 1000;  // steps, so that no two seeds have pictures in common

const char* const kResidualBlock =
    "conv 4 3 pad 1; batch_norm; relu; save short; conv 4 3 pad 1; batch_norm; relu; "
    "conv 4 3 pad 1; batch_norm; add short; relu; average_pool 4; flatten; linear 4";

/// Stripes, whose direction is the class, and whose place and width are the step's.
TensorValues stripes(std::uint32_t seed, int step_of_seed) {
  const int step = step_of_seed + kBetweenSeeds * (static_cast<int>(seed) - 1);
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

NetworkGraph codedGraph(const NumberedNetwork& trained, const Coding& coding) {
  if (!coding.codec) return trained.graph();
  CompressionChoice choice;
  choice.signs = coding.signs;
  return withCompression(trained.graph(), *coding.codec, choice).graph;
}

NumberedNetwork residualBlock(std::uint32_t seed) {
  return {kResidualBlock, {1, kSize, kSize}, kBatch, seed};
}

void showPictures(NumberedNetwork& trained, std::uint32_t seed, int step) {
  trained.set(trained.graph().tensorsOf(TensorRole::Input).front(), stripes(seed, step));
}

}  // namespace

double Learnt::lastLoss() const {
  const auto last = static_cast<std::ptrdiff_t>(losses.size() / 10);
  return std::accumulate(losses.end() - last, losses.end(), 0.0) / static_cast<double>(last);
}

Learnt learnWith(const Coding& coding, std::uint32_t seed, int steps) {
  NumberedNetwork trained = residualBlock(seed);
  const NetworkGraph graph = codedGraph(trained, coding);
  Learnt learnt;
  learnt.ratio = static_cast<double>(keptBytes(trained.graph()).value()) /
                 static_cast<double>(keptBytes(graph).value());
  constexpr int kBetweenErrors = 50;
  int errors = 0;
  for (int step = 0; step < steps; ++step) {
    showPictures(trained, seed, step);
    if (coding.codec && step % kBetweenErrors == 0) {
      learnt.gradient_error += trained.gradientError(graph);
      ++errors;
    }
    learnt.losses.push_back(trained.learn(graph));
  }
  if (errors > 0) learnt.gradient_error /= errors;
  return learnt;
}

double firstGradientError(const Coding& coding, std::uint32_t seed) {
  NumberedNetwork trained = residualBlock(seed);
  showPictures(trained, seed, 0);
  return trained.gradientError(codedGraph(trained, coding));
}

std::vector<Coding> codings() {
  const Quantiser random{4, 64, LevelRounding::Stochastic, 7};
  const SignSource decoded = SignSource::Decoded;
  const SignSource mask = SignSource::Mask;
  return {
      {"none", nullptr, decoded},
      {"half", halfCodec(), decoded},
      {"float8", float8Codec(), decoded},
      {"quantise_8", quantisingCodec({8}), decoded},
      {"quantise_4", quantisingCodec({4, 64}), decoded},
      {"quantise_4_stochastic", quantisingCodec(random), decoded},
      {"quantise_2", quantisingCodec({2, 64}), decoded},
      {"dct_6", dctChopCodec({6}), decoded},
      {"dct_6_mask", dctChopCodec({6}), mask},
      {"dct_4", dctChopCodec({4}), decoded},
      {"dct_4_mask", dctChopCodec({4}), mask},
      {"dct_4_triangle_mask", dctChopCodec({4, DctCorner::Triangle}), mask},
      {"dct_4_8_bits_mask", quantised(dctChopCodec({4}), {8}), mask},
      {"dct_2_mask", dctChopCodec({2}), mask},
      {"low_rank_8_mask", lowRankCodec({8}), mask},
  };
}

}  // namespace ipusim::workloads
