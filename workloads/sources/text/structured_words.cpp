// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/config/words.h"
#include "base/numbers/powers_of_two.h"
#include "base/text/message.h"
#include "models/gpu/torch_layers.h"
#include "workloads/networks/operations/products/structured_layers.h"
#include "workloads/sources/text/statement_site.h"

namespace ipusim::workloads {

namespace {

constexpr Words<Twiddles, 2> kTwiddles{{{Twiddles::Tied, "tied"}, {Twiddles::Untied, "untied"}}};
constexpr Words<StageOrder, 2> kOrders{
    {{StageOrder::Increasing, "increasing"}, {StageOrder::Decreasing, "decreasing"}}};
constexpr Words<BagSum, 2> kBlockSums{{{BagSum::Bags, "bags"}, {BagSum::OneGather, "one_gather"}}};

/// The value of an option that is one of a few words; the first one without the option.
template <typename Value, std::size_t count>
Value wordOption(StatementSite& site, const std::string& option, const Words<Value, count>& words) {
  const std::optional<std::string> text = site.arguments.textOption(option);
  if (!text) return words.front().value;
  const std::vector<std::string> choices = choicesOf(words);
  if (std::find(choices.begin(), choices.end(), *text) == choices.end()) {
    throw site.statement.error(fmt::format("{}: {}", option, fmt::join(choices, " or ")),
                               inQuotes(*text) + didYouMean(*text, choices));
  }
  return valueOf(*text, words);
}

/// The outputs of a layer that has as many inputs.
std::uint64_t squareFeatures(StatementSite& site) {
  const std::uint64_t features = site.readOutputs();
  if (features != site.shape().back()) {
    throw site.statement.error(
        fmt::format("as many outputs as inputs, {}, because its matrix is square",
                    site.shape().back()),
        fmt::format("{}", features));
  }
  return features;
}

std::uint64_t powerOfTwoFeatures(StatementSite& site) {
  const std::uint64_t features = squareFeatures(site);
  if (features < 2 || !isPowerOfTwo(features)) {
    throw site.statement.error("a power of two from 2 on", fmt::format("{}", features));
  }
  return features;
}

NetworkTensorId withBias(StatementSite& site, NetworkTensorId y) {
  return site.arguments.flagOption("bias", true) ? site.withBias("", y) : y;
}

NetworkTensorId addButterfly(StatementSite& site) {
  ButterflyShape shape{};
  shape.features = powerOfTwoFeatures(site);
  shape.twiddles = wordOption(site, "twiddles", kTwiddles);
  shape.order = wordOption(site, "order", kOrders);
  return withBias(site, addButterflyLayer(site, shape));
}

NetworkTensorId addLowRank(StatementSite& site) {
  const std::uint64_t outputs = site.readOutputs();
  const std::uint64_t rank = site.arguments.wholeOption("rank", 1);
  const std::uint64_t most = std::min(outputs, site.shape().back());
  if (rank > most) {
    throw site.statement.error(fmt::format("rank: at most {}", most), fmt::format("{}", rank));
  }
  return withBias(site, addLowRankLayer(site, outputs, rank));
}

NetworkTensorId addCirculant(StatementSite& site) {
  const std::uint64_t features = squareFeatures(site);
  constexpr std::uint64_t kMostFeatures = 1U << 14U;  // the matrix of more fits no chip
  if (features > kMostFeatures) {
    throw site.statement.error(fmt::format("at most {} features", kMostFeatures),
                               fmt::format("{}", features));
  }
  return withBias(site, addCirculantLayer(site));
}

NetworkTensorId addFastfood(StatementSite& site) {
  (void)powerOfTwoFeatures(site);
  const std::uint64_t seed = site.arguments.wholeOption("seed", 1);
  return withBias(site, addFastfoodLayer(site, seed));
}

PixelflyShape readPixelfly(StatementSite& site) {
  PixelflyShape shape{};
  shape.features = squareFeatures(site);
  const gpu::PixelflyShape usual = gpu::usualPixelfly({shape.features, 1});
  shape.block = site.arguments.wholeOption("block", std::min(usual.block, shape.features));
  if (shape.features % shape.block != 0) {
    throw site.statement.error(fmt::format("block: a divisor of {}", shape.features),
                               fmt::format("{}", shape.block));
  }
  shape.rank = site.arguments.wholeOption("rank", std::min(usual.rank, shape.features));
  if (shape.rank > shape.features) {
    throw site.statement.error(fmt::format("rank: at most {}", shape.features),
                               fmt::format("{}", shape.rank));
  }
  shape.butterfly_size = site.arguments.wholeOption(
      "butterfly_size", std::max<std::uint64_t>(2, shape.features / shape.block));
  shape.block_sum = wordOption(site, "block_sum", kBlockSums);
  if (const auto fault = pixelflyFault(shape)) {
    std::uint64_t found = shape.features;
    if (fault->key == "block") found = shape.block;
    if (fault->key == "butterfly_size") found = shape.butterfly_size;
    throw site.statement.error(fmt::format("{}: {}", fault->key, fault->wanted),
                               fmt::format("{}", found));
  }
  return shape;
}

NetworkTensorId addPixelfly(StatementSite& site) {
  return withBias(site, addPixelflyLayer(site, readPixelfly(site)));
}

}  // namespace

const std::vector<StatementWord>& structuredWords() {
  static const std::vector<StatementWord> kWords{
      {"butterfly", addButterfly}, {"circulant", addCirculant}, {"fastfood", addFastfood},
      {"low_rank", addLowRank},    {"pixelfly", addPixelfly},
  };
  return kWords;
}

}  // namespace ipusim::workloads
