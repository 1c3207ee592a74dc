// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/config/config_reader.h"
#include "workloads/networks/graph/counts.h"
#include "workloads/sources/text/network_text.h"

// Parameters and work of the networks of configs/networks against published counts.

namespace ipusim::workloads {
namespace {

struct PublishedNetwork {
  std::string name;
  Shape input;
  std::uint64_t parameters;
  double multiply_adds;  ///< of one sample, in convolutions and products; not for all
};

class PublishedNetworkCounts : public testing::TestWithParam<PublishedNetwork> {};

TextNetwork networkOf(const PublishedNetwork& published, NetworkMode mode) {
  const std::string text = readConfigText("configs/networks/" + published.name + ".txt");
  return readNetworkText(text, {1, published.input, ElementType::Half, mode});
}

TEST_P(PublishedNetworkCounts, HasThePublishedParameters) {
  EXPECT_EQ(parameterCount(networkOf(GetParam(), NetworkMode::Training).graph),
            GetParam().parameters);
}

class PublishedNetworkWork : public testing::TestWithParam<PublishedNetwork> {};

TEST_P(PublishedNetworkWork, IsThatOfItsMultiplyAdds) {
  const NetworkGraph graph = networkOf(GetParam(), NetworkMode::Inference).graph;
  double flops = 0;
  for (const NetworkNode& node : graph.nodes()) {
    const std::string kind = node.operation->kind();
    if (kind != "conv" && kind != "matmul") continue;
    flops += static_cast<double>(node.operation->flops(graph.typesOf(node.operands)).value());
  }
  EXPECT_NEAR(flops / 2 / GetParam().multiply_adds, 1, 0.01);
}

std::string nameOfNetwork(const testing::TestParamInfo<PublishedNetwork>& one) {
  return one.param.name;
}

// Source: torchvision's documentation of its models.
const std::vector<PublishedNetwork>& pictureNetworks() {
  static const std::vector<PublishedNetwork> kNetworks{
      {"resnet50", {3, 224, 224}, 25'557'032, 4.09e9},
      {"mobilenet_v2", {3, 224, 224}, 3'504'872, 0.30e9},
      {"vgg16", {3, 224, 224}, 138'357'544, 15.47e9},
      {"vit_b16", {3, 224, 224}, 86'567'656, 17.56e9}};
  return kNetworks;
}

// Source: the model cards of BERT-large and GPT-2, which have 335 M and 124 M parameters.
const std::vector<PublishedNetwork>& languageNetworks() {
  static const std::vector<PublishedNetwork> kNetworks{{"bert_large", {384}, 335'141'888, 0},
                                                       {"gpt2", {1024}, 124'439'808, 0}};
  return kNetworks;
}

INSTANTIATE_TEST_SUITE_P(Pictures, PublishedNetworkCounts, testing::ValuesIn(pictureNetworks()),
                         nameOfNetwork);
INSTANTIATE_TEST_SUITE_P(Language, PublishedNetworkCounts, testing::ValuesIn(languageNetworks()),
                         nameOfNetwork);
INSTANTIATE_TEST_SUITE_P(Pictures, PublishedNetworkWork, testing::ValuesIn(pictureNetworks()),
                         nameOfNetwork);

TEST(UnetByHand, HasTheParametersOfItsLevels) {
  std::uint64_t parameters = 0;
  const auto conv = [&parameters](std::uint64_t in, std::uint64_t out, std::uint64_t taps) {
    parameters += out * (in * taps + 1);
  };
  std::uint64_t in = 1;
  for (const std::uint64_t channels : {64U, 128U, 256U, 512U, 1024U}) {
    conv(in, channels, 9);
    conv(channels, channels, 9);
    in = channels;
  }
  for (const std::uint64_t channels : {512U, 256U, 128U, 64U}) {
    conv(2 * channels, channels, 4);
    conv(2 * channels, channels, 9);
    conv(channels, channels, 9);
  }
  conv(64, 2, 1);
  const PublishedNetwork unet{"unet", {1, 256, 256}, parameters, 0};
  EXPECT_EQ(parameterCount(networkOf(unet, NetworkMode::Training).graph), parameters);
}

}  // namespace
}  // namespace ipusim::workloads
