// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "ipusim/ids.h"
#include "tests/compression/codec_case.h"
#include "tests/compression/naive_codecs.h"
#include "tests/compression/numbered_network.h"
#include "workloads/networks/compression/compression.h"

// What codecs leave of planes with the spectrum of natural images, and of what networks save for
// their backward passes, against loops by the definition of each codec.

namespace ipusim::workloads {
namespace {

constexpr std::uint32_t kSeed = 11;

struct NamedTensor {
  std::string name;
  TensorType type;
  TensorValues values;
};

/// What a network saves, where its input has the spectrum of natural images.
std::vector<NamedTensor> savedBy(const std::string& text, const Shape& input) {
  NumberedNetwork trained(text, input);
  const NetworkGraph& graph = trained.graph();
  const NetworkTensorId pictures = graph.tensorsOf(TensorRole::Input).front();
  const std::uint64_t samples = graph.shapeOf(pictures).front();
  const auto side = static_cast<std::uint64_t>(
      std::sqrt(static_cast<double>(input.size() == 1 ? input[0] : input[1] * input[2])));
  const std::uint64_t planes = elementsOf(input) / (side * side);
  trained.set(pictures, naturalPlanes({samples * planes, side, side}, kSeed));
  const std::vector<TensorValues> values = trained.valuesOf(graph);
  std::vector<NamedTensor> saved;
  for (const NetworkTensorId tensor : keptTensors(graph)) {
    if (graph[tensor].type.type != ElementType::Float) continue;
    saved.push_back({graph[tensor].name, graph[tensor].type, values[indexOf(tensor)]});
  }
  return saved;
}

struct Source {
  const char* name;
  std::function<std::vector<NamedTensor>()> tensors;
};

std::vector<Source> sources() {
  return {
      {"natural_planes",
       [] {
         std::vector<NamedTensor> tensors(1);
         tensors[0].name = "planes";
         tensors[0].type.shape = {4, 32, 32};
         tensors[0].values = naturalPlanes(tensors[0].type.shape, kSeed);
         return tensors;
       }},
      {"residual_block",
       [] {
         return savedBy(
             "conv 4 3 pad 1; batch_norm; relu; save short; conv 4 3 pad 1; batch_norm; relu; "
             "conv 4 3 pad 1; batch_norm; add short; relu; average_pool 8; flatten; linear 4",
             {3, 32, 32});
       }},
      {"u_net_level",
       [] {
         return savedBy(
             "conv 4 3 pad 1; relu; save level; average_pool 2; conv 8 3 pad 1; relu; "
             "conv_transpose 4 2 stride 2; concat level; conv 4 3 pad 1; relu; "
             "average_pool 8; flatten; linear 4",
             {1, 32, 32});
       }},
      {"mlp", [] { return savedBy("linear 64; tanh; linear 64; relu; linear 4", {256}); }},
  };
}

struct CodecCase {
  const char* name;
  CodecPointer codec;
  std::function<TensorValues(const Shape&, TensorValues)> reference;
};

CodecCase dctCase(const char* name, const DctChop& rule) {
  return {name, dctChopCodec(rule), [rule](const Shape& shape, TensorValues values) {
            return choppedPlanes(rule, shape, std::move(values));
          }};
}

CodecCase levelsCase(const char* name, const Quantiser& rule) {
  return {name, quantisingCodec(rule), [rule](const Shape& /*shape*/, TensorValues values) {
            return nearestLevels(rule.bits, rule.block, std::move(values));
          }};
}

std::vector<CodecCase> codecs() {
  const LowRankSketch sketch{4, 5};
  return {
      dctCase("dct_6", {6}),
      dctCase("dct_4", {4}),
      dctCase("dct_2", {2}),
      dctCase("dct_4_triangle", {4, DctCorner::Triangle}),
      dctCase("dct_4_blockwise", {4, DctCorner::Square, DctForm::Blockwise}),
      dctCase("dct_4_fused", {4, DctCorner::Square, DctForm::Fused}),
      levelsCase("levels_of_16_bits", {16}),
      levelsCase("levels_of_8_bits", {8}),
      levelsCase("levels_of_4_bits", {4, 64}),
      levelsCase("levels_of_2_bits", {2, 64}),
      {"halves", halfCodec(),
       [](const Shape& /*shape*/, TensorValues values) {
         return nearestHalves(std::move(values));
       }},
      {"float8", float8Codec(),
       [](const Shape& /*shape*/, TensorValues values) {
         return nearestQuarters(std::move(values));
       }},
      {"signs", signCodec(),
       [](const Shape& /*shape*/, TensorValues values) {
         for (double& value : values) value = value > 0 ? 1 : 0;
         return values;
       }},
      {"rank_4", lowRankCodec(sketch),
       [sketch](const Shape& shape, TensorValues values) {
         return projectedRows(sketch, shape.back(), std::move(values));
       }},
  };
}

class RoundTripOf : public testing::TestWithParam<CodecCase> {};

TEST_P(RoundTripOf, LeavesWhatItsDefinitionLeaves) {
  for (const Source& source : sources()) {
    TensorValues before;
    TensorValues after;
    for (const NamedTensor& tensor : source.tensors()) {
      if (GetParam().codec->wantedInsteadOf(tensor.type)) continue;
      const RoundTrip trip = roundTrip(*GetParam().codec, tensor.type, tensor.values);
      const TensorValues wanted = GetParam().reference(tensor.type.shape, tensor.values);
      EXPECT_LT(relativeError(wanted, trip.decoded), 1e-10) << source.name << " " << tensor.name;
      before.insert(before.end(), tensor.values.begin(), tensor.values.end());
      after.insert(after.end(), trip.decoded.begin(), trip.decoded.end());
    }
    if (!before.empty()) {
      RecordProperty(source.name, std::to_string(relativeError(before, after)));
    }
  }
}

/// Decoding cuts off what was put behind planes to make whole blocks, and with it a part of the
/// code.
bool hasWholeBlocks(const Shape& shape) {
  return shape.size() > 1 && shape.back() % kDctBlock == 0 &&
         shape[shape.size() - 2] % kDctBlock == 0;
}

TEST_P(RoundTripOf, IsTheSameTheSecondTime) {
  for (const Source& source : sources()) {
    for (const NamedTensor& tensor : source.tensors()) {
      if (GetParam().codec->wantedInsteadOf(tensor.type)) continue;
      if (!hasWholeBlocks(tensor.type.shape)) continue;
      const RoundTrip trip = roundTrip(*GetParam().codec, tensor.type, tensor.values);
      EXPECT_LT(relativeError(trip.code, trip.code_again), 1e-12)
          << source.name << " " << tensor.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Codecs, RoundTripOf, testing::ValuesIn(codecs()),
                         [](const auto& one) { return one.param.name; });

TEST(NaturalPlanes, AreThoseOfTheSeed) {
  const Shape shape{2, 16, 16};
  EXPECT_EQ(naturalPlanes(shape, 1), naturalPlanes(shape, 1));
  EXPECT_NE(naturalPlanes(shape, 1), naturalPlanes(shape, 2));
}

TEST(NaturalPlanes, HaveLessInHigherFrequencies) {
  const Shape shape{8, 32, 32};
  const TensorValues x = naturalPlanes(shape, kSeed);
  double before = 1;
  for (const std::uint64_t chop : {1U, 2U, 4U, 6U}) {
    const double left = relativeError(x, choppedPlanes({chop}, shape, x));
    EXPECT_LT(left, before);
    EXPECT_GT(left, 0.1);
    before = left;
  }
}

}  // namespace
}  // namespace ipusim::workloads
