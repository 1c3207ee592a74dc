// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "ipusim/ids.h"
#include "tests/compression/numbered_network.h"
#include "workloads/networks/compression/compression.h"
#include "workloads/networks/compression/compression_choice.h"
#include "workloads/networks/compression/dct_chop.h"
#include "workloads/networks/graph/counts.h"
#include "workloads/networks/operations/elementwise/elementwise.h"

namespace ipusim::workloads {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const char* const kBlock =
    "conv 4 3 pad 1; relu; save short; conv 4 3 pad 1; relu; conv 4 3 pad 1; add short; relu; "
    "flatten; linear 3";

std::vector<std::string> codedNames(const NetworkGraph& graph, const Codec& codec,
                                    const CompressionChoice& choice) {
  std::vector<std::string> names;
  for (const CompressedTensor& one : withCompression(graph, codec, choice).tensors) {
    names.push_back(graph[one.tensor].name);
  }
  return names;
}

std::vector<std::string> namesOf(const NetworkGraph& graph) {
  std::vector<std::string> names;
  for (const NetworkNode& node : graph.nodes()) {
    std::string line = fmt::format("{} {}", node.name, node.operation->kind());
    for (const NetworkTensorId operand : node.operands) line += " " + graph[operand].name;
    names.push_back(line);
  }
  return names;
}

CompressionChoice none() {
  CompressionChoice choice;
  choice.target = Bytes(std::uint64_t{1} << 40U);
  return choice;
}

TEST(Compression, OfNothingIsTheGraphItself) {
  const NumberedNetwork trained(kBlock, {2, 8, 8});
  const Compression off = withCompression(trained.graph(), *quantisingCodec({8}), none());
  EXPECT_THAT(off.tensors, IsEmpty());
  EXPECT_EQ(namesOf(off.graph), namesOf(trained.graph()));
  EXPECT_EQ(trained.valuesOf(off.graph), trained.valuesOf(trained.graph()));
}

TEST(Compression, LeavesTheForwardPassAsItIs) {
  const NumberedNetwork trained(kBlock, {2, 8, 8});
  const auto before = trained.valuesOf(trained.graph());
  const Compression coded = withCompression(trained.graph(), *quantisingCodec({2}), {});
  const auto after = trained.valuesOf(coded.graph);
  ASSERT_FALSE(coded.tensors.empty());
  bool is_any_gradient_other = false;
  for (const NetworkNode& node : trained.graph().nodes()) {
    const std::size_t result = indexOf(node.results.front());
    if (node.pass == NetworkPass::Forward) {
      EXPECT_EQ(after[result], before[result]) << node.name;
    } else {
      is_any_gradient_other = is_any_gradient_other || after[result] != before[result];
    }
  }
  EXPECT_TRUE(is_any_gradient_other);
}

TEST(Compression, KeepsNothingButCodes) {
  const NumberedNetwork trained(kBlock, {2, 8, 8});
  const Compression coded = withCompression(trained.graph(), *quantisingCodec({8}), {});
  std::set<NetworkTensorId> gone;
  Bytes saved;
  for (const CompressedTensor& one : coded.tensors) {
    gone.insert(one.tensor);
    saved += one.before;
    EXPECT_EQ(one.after, Bytes(one.before.value() / 4 + 4));
    EXPECT_EQ(one.metadata, Bytes(4));
  }
  for (const NetworkTensorId kept : keptTensors(coded.graph)) EXPECT_EQ(gone.count(kept), 0U);
  EXPECT_EQ(keptBytes(trained.graph()) + Bytes(saved.value() / 4 + 4 * coded.tensors.size()),
            keptBytes(coded.graph) + saved);
}

TEST(Compression, EncodesBehindTheLastUseAndDecodesOnceBeforeTheFirst) {
  const NumberedNetwork trained(kBlock, {2, 8, 8});
  CompressionChoice choice;
  choice.names = {"relu1"};
  const Compression coded = withCompression(trained.graph(), *quantisingCodec({8}), choice);
  std::vector<std::string> names;
  for (const NetworkNode& node : coded.graph.nodes()) names.push_back(node.name);
  const auto at = [&](const std::string& name) {
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
    return std::find(names.begin(), names.end(), name) - names.begin();
  };
  // The sum reads it last.
  EXPECT_EQ(at("relu1/encode/quantised"), at("add1") + 1);
  EXPECT_LT(at("relu1/decode/levels"), at("relu1/gradient"));
}

/// An input may be what another chip sends.
TEST(Compression, CodesAnInputThatLaterPassesRead) {
  const NumberedNetwork trained("conv 4 3 pad 1; tanh; flatten; linear 3", {2, 8, 8});
  const NetworkTensorId x = trained.graph().tensorsOf(TensorRole::Input).front();
  const CodecPointer codec = quantisingCodec({8});
  const auto codable = codableTensors(trained.graph(), *codec, SignSource::Decoded, {x});
  EXPECT_THAT(codable, ElementsAre(x));
  const NetworkGraph coded = withCodes(trained.graph(), *codec, SignSource::Decoded, codable).graph;
  for (const NetworkNode& node : coded.nodes()) {
    if (isBeforeBackward(node.pass)) continue;
    EXPECT_EQ(std::count(node.operands.begin(), node.operands.end(), x), 0) << node.name;
  }
  EXPECT_GT(trained.gradientError(coded), 0);
}

TEST(Compression, DecodesViewsOfWhatItCoded) {
  const NumberedNetwork trained("conv 4 3 pad 1; tanh; flatten; linear 3", {2, 8, 8});
  CompressionChoice choice;
  choice.names = {"tanh1"};
  const Compression coded = withCompression(trained.graph(), *quantisingCodec({16}), choice);
  EXPECT_THAT(namesOf(coded.graph),
              testing::Contains("flatten1/again reshape tanh1/decode/levels"));
  EXPECT_LT(trained.gradientError(coded.graph), 1e-3);
  EXPECT_GT(trained.gradientError(coded.graph), 0);
}

TEST(Compression, CodesBothPartsOfAConcatenation) {
  const NumberedNetwork trained(
      "conv 4 3 pad 1; tanh; save left; conv 3 3 pad 1; tanh; concat left; conv 2 3 pad 1; "
      "flatten; linear 3",
      {2, 8, 8});
  const Compression coded = withCompression(trained.graph(), *quantisingCodec({16}), {});
  EXPECT_THAT(codedNames(trained.graph(), *quantisingCodec({16}), {}),
              testing::IsSupersetOf({"tanh1", "tanh2"}));
  for (const NetworkTensorId kept : keptTensors(coded.graph)) {
    EXPECT_NE(coded.graph[kept].name, "tanh1");
    EXPECT_NE(coded.graph[kept].name, "concat1");
  }
  EXPECT_LT(trained.gradientError(coded.graph), 1e-3);
}

TEST(SignMask, IsForTensorsWhoseSignsAreEnoughAndExact) {
  const NumberedNetwork trained(
      "conv 4 3 pad 1; relu; conv 4 3 pad 1; relu; average_pool 2; flatten; linear 3", {2, 8, 8});
  const Compression coded = withCompression(trained.graph(), *signCodec(), {});
  EXPECT_THAT(codedNames(trained.graph(), *signCodec(), {}), ElementsAre("relu2"));
  EXPECT_EQ(coded.tensors.front().before, Bytes(32) * std::uint64_t{1} * 64);
  EXPECT_EQ(coded.tensors.front().after.value() * 32, coded.tensors.front().before.value());
  EXPECT_EQ(trained.gradientError(coded.graph), 0);
}

// A transform makes small numbers of either sign of the zeros of a relu, so that gradients pass
// where they must not. This one is right up to the rounding of its levels.
TEST(Compression, KeepsASignMaskBesideTheCode) {
  const NumberedNetwork trained(kBlock, {2, 16, 16});
  const auto codec = quantised(dctChopCodec({8}), {16});
  CompressionChoice choice;
  choice.names = {"relu*"};
  EXPECT_GT(trained.gradientError(withCompression(trained.graph(), *codec, choice).graph), 0.01);
  choice.signs = SignSource::Mask;
  const Compression masked = withCompression(trained.graph(), *codec, choice);
  EXPECT_LT(trained.gradientError(masked.graph), 0.001);
  for (const CompressedTensor& one : masked.tensors) {
    EXPECT_EQ(one.metadata.value(), one.before.value() / 32 + 4);
    EXPECT_EQ(one.after.value(), one.before.value() / 2 + one.metadata.value());
  }
}

TEST(Compression, KeepsAMaskAloneWhereItIsEnough) {
  const NumberedNetwork trained("conv 4 3 pad 1; relu; average_pool 2; flatten; linear 3",
                                {2, 8, 8});
  CompressionChoice choice;
  choice.names = {"relu1"};
  choice.signs = SignSource::Mask;
  const Compression masked = withCompression(trained.graph(), *quantisingCodec({2}), choice);
  EXPECT_EQ(masked.tensors.front().after.value() * 32, masked.tensors.front().before.value());
  EXPECT_EQ(masked.tensors.front().metadata, Bytes(0));
  EXPECT_EQ(trained.gradientError(masked.graph), 0);
}

TEST(Choice, TakesWhatSavesMostUntilTheTarget) {
  const NumberedNetwork trained("conv 6 3 pad 1; tanh; conv 2 3 pad 1; tanh; flatten; linear 3",
                                {2, 8, 8});
  CompressionChoice choice;
  choice.target = Bytes(keptBytes(trained.graph()).value() - 1);
  EXPECT_THAT(codedNames(trained.graph(), *quantisingCodec({8}), choice), ElementsAre("tanh1"));
  choice.target = Bytes(0);
  EXPECT_THAT(codedNames(trained.graph(), *quantisingCodec({8}), choice),
              ElementsAre("tanh1", "tanh2"));
  choice.least_bytes = Bytes(std::uint64_t{2} * 6 * 64 * 4);
  EXPECT_THAT(codedNames(trained.graph(), *quantisingCodec({8}), choice), ElementsAre("tanh1"));
  choice.least_bytes = Bytes(std::uint64_t{2} * 6 * 64 * 4 + 1);
  EXPECT_THAT(codedNames(trained.graph(), *quantisingCodec({8}), choice), IsEmpty());
}

TEST(Choice, TakesTheKindsAlone) {
  const NumberedNetwork trained("linear 8; tanh; linear 8; relu; linear 3", {4});
  CompressionChoice choice;
  EXPECT_THAT(codedNames(trained.graph(), *halfCodec(), choice), ElementsAre("tanh1", "relu1"));
  choice.kinds = {"relu"};
  EXPECT_THAT(codedNames(trained.graph(), *halfCodec(), choice), ElementsAre("relu1"));
}

std::string errorOf(const NumberedNetwork& trained, const Codec& codec, const char* name) {
  CompressionChoice choice;
  choice.names = {name};
  try {
    withCompression(trained.graph(), codec, choice);
  } catch (const OperandError& error) {
    return error.what();
  }
  return "";
}

TEST(Choice, SaysWhyATensorIsNotCoded) {
  const NumberedNetwork trained("conv 4 3 pad 1; relu; max_pool 2; tanh; flatten; linear 3",
                                {2, 8, 8});
  const std::string wanted = "wanted a tensor that is saved for the backward pass and can be coded";
  EXPECT_EQ(errorOf(trained, *quantisingCodec({8}), "rely*"),
            wanted + ", such as tanh1, found rely*");
  EXPECT_EQ(errorOf(trained, *quantisingCodec({8}), "relu*"),
            wanted + ", found relu*, of which relu1 is needed exactly by the backward pass");
  EXPECT_EQ(errorOf(trained, *signCodec(), "tanh1"),
            wanted +
                ", found tanh1, of which tanh1 is needed by the backward pass with more than "
                "its signs");
  EXPECT_EQ(errorOf(trained, *lowRankCodec({4}), "tanh1"),
            wanted +
                ", found tanh1, of which tanh1 is (2, 4, 4, 4), where the codec wants at "
                "least two dimensions, the last one of more than 4 elements");
  EXPECT_EQ(errorOf(trained, *dctChopCodec({8}), "tanh1"),
            wanted + ", found tanh1, of which tanh1 has a code that is not smaller");
}

TEST(Choice, RefusesAKindThatSavesNothing) {
  const NumberedNetwork trained("linear 8; relu; linear 3", {4});
  CompressionChoice choice;
  for (const char* none : {"rely", "max_pool"}) {
    choice.kinds = {"relu", none};
    EXPECT_THAT([&] { withCompression(trained.graph(), *halfCodec(), choice); },
                testing::ThrowsMessage<OperandError>(
                    testing::HasSubstr(std::string("relu, found ") + none)));
  }
}

TEST(Choice, KeepsTheConditionOfASelectExactly) {
  const OperationPointer operation = select();
  EXPECT_EQ(operation->needOf(0), OperandNeed::Exact);
  EXPECT_EQ(operation->needOf(1), OperandNeed::Value);
}

}  // namespace
}  // namespace ipusim::workloads
