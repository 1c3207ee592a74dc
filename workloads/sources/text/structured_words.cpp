// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/message.h"
#include "base/powers_of_two.h"
#include "base/words.h"
#include "models/gpu/torch_layers.h"
#include "workloads/networks/circulant.h"
#include "workloads/networks/dag/elementwise.h"
#include "workloads/networks/dag/product.h"
#include "workloads/networks/dag/shaping.h"
#include "workloads/networks/dag/structured.h"
#include "workloads/networks/fastfood.h"
#include "workloads/networks/pixelfly.h"
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

/// The operand as rows, which a layer works on, and a result in its shape.
class RowsOfOperand {
 public:
  explicit RowsOfOperand(const StatementSite& site) : site_(site), shape_(site.shape()) {}

  [[nodiscard]] std::uint64_t count() const { return elementsOf(shape_) / shape_.back(); }
  [[nodiscard]] NetworkTensorId rows() const {
    if (shape_.size() == 2) return site_.x;
    return site_.add("rows", reshape({count(), shape_.back()}), {site_.x});
  }
  [[nodiscard]] NetworkTensorId shaped(NetworkTensorId rows) const {
    if (shape_.size() == 2) return rows;
    return site_.add("shaped", reshape(shape_), {rows});
  }

 private:
  const StatementSite& site_;
  Shape shape_;
};

NetworkTensorId addButterfly(StatementSite& site) {
  ButterflyShape shape{};
  shape.features = powerOfTwoFeatures(site);
  shape.twiddles = wordOption(site, "twiddles", kTwiddles);
  shape.order = wordOption(site, "order", kOrders);
  const NetworkTensorId y = site.graph
                                .addNode(site.name, butterflyStages(shape),
                                         {site.x, site.parameter("twiddles", twiddleShape(shape))})
                                .front();
  return withBias(site, y);
}

/// (x H) G without a bias.
NetworkTensorId addProducts(StatementSite& site, std::uint64_t outputs, std::uint64_t rank) {
  const std::uint64_t inputs = site.shape().back();
  const NetworkTensorId narrow =
      site.add("h", matmul(), {site.x, site.parameter("h", {inputs, rank})});
  return site.add("g", matmul(), {narrow, site.parameter("g", {rank, outputs})});
}

NetworkTensorId addLowRank(StatementSite& site) {
  const std::uint64_t outputs = site.readOutputs();
  const std::uint64_t rank = site.arguments.wholeOption("rank", 1);
  const std::uint64_t most = std::min(outputs, site.shape().back());
  if (rank > most) {
    throw site.statement.error(fmt::format("rank: at most {}", most), fmt::format("{}", rank));
  }
  return withBias(site, addProducts(site, outputs, rank));
}

/// The matrix is looked up from its first column: C(i, j) = c[(i - j) mod features].
NetworkTensorId addCirculant(StatementSite& site) {
  const std::uint64_t features = squareFeatures(site);
  constexpr std::uint64_t kMostFeatures = 1U << 14U;  // the matrix of more fits no chip
  if (features > kMostFeatures) {
    throw site.statement.error(fmt::format("at most {} features", kMostFeatures),
                               fmt::format("{}", features));
  }
  const RowNumbers numbers = circulantIndices(features);
  const NetworkTensorId elements =
      site.add("look_up", lookUpRows(numbers), {site.parameter("c", {features, 1})});
  const NetworkTensorId matrix = site.add("matrix", reshape({features, features}), {elements});
  const NetworkTensorId y =
      site.add("", matmul({ProductOperand::Plain, ProductOperand::Transposed}), {site.x, matrix});
  return withBias(site, y);
}

/// S H(G P(H(B x))).
NetworkTensorId addFastfood(StatementSite& site) {
  const std::uint64_t features = powerOfTwoFeatures(site);
  const std::uint64_t seed = site.arguments.wholeOption("seed", 1);
  const RowsOfOperand operand(site);
  const auto scaled = [&](NetworkTensorId rows, const char* diagonal) {
    return site.add(diagonal, binary(models::BinaryOp::Multiply),
                    {rows, site.parameter(diagonal, {features})});
  };
  const NetworkTensorId first = site.add("first", hadamard(), {scaled(operand.rows(), "b")});
  const NetworkTensorId columns = site.add("columns", transpose({1, 0}), {first});
  const NetworkTensorId permuted =
      site.add("permute", lookUpRows(randomPermutation(features, seed)), {columns});
  const NetworkTensorId rows = site.add("permuted", transpose({1, 0}), {permuted});
  const NetworkTensorId second = site.add("second", hadamard(), {scaled(rows, "g")});
  return withBias(site, operand.shaped(scaled(second, "s")));
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

/// Products of blocks, which bags sum to blocks of the result, beside a low-rank product.
NetworkTensorId addPixelfly(StatementSite& site) {
  const PixelflyShape shape = readPixelfly(site);
  const auto blocks = pixelflyBlocks(shape);
  const std::uint64_t lines = blocks.size();
  const std::uint64_t active = blocks.front().size();
  const std::uint64_t block = shape.block;
  const RowsOfOperand operand(site);
  const std::uint64_t batch = operand.count();
  const auto moved = [&](const char* part, NetworkTensorId from, const Shape& as,
                         const std::vector<std::size_t>& order) {
    const NetworkTensorId apart = site.add(std::string(part) + "/apart", reshape(as), {from});
    return site.add(part, transpose(order), {apart});
  };
  const NetworkTensorId low_rank = addProducts(site, shape.features, shape.rank);
  const NetworkTensorId x = moved("x", operand.rows(), {batch, lines, block}, {1, 0, 2});
  const NetworkTensorId products =
      site.add("blocks", matmul(), {x, site.parameter("blocks", {lines, block, active * block})});
  const NetworkTensorId rows =
      moved("products", products, {lines, batch, active, block}, {0, 2, 3, 1});
  const Bags bags{lines, active, lines * active, shape.block_sum};
  const NetworkTensorId table = site.add("table", reshape({lines * active, block * batch}), {rows});
  const NetworkTensorId sums =
      site.add("sum", sumBags(bags, pixelflyRows(blocks, shape.block_sum)), {table});
  const NetworkTensorId y = moved("sums", sums, {shape.features, batch}, {1, 0});
  const NetworkTensorId both =
      site.add("", binary(models::BinaryOp::Add), {low_rank, operand.shaped(y)});
  return withBias(site, both);
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
