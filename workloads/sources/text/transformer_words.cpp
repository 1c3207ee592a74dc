// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/products/product.h"
#include "workloads/networks/operations/rows/reduction.h"
#include "workloads/networks/operations/rows/softmax.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/networks/operations/tables/embedding.h"
#include "workloads/sources/text/statement_site.h"

namespace ipusim::workloads {

namespace {

const char* const kSequenceWanted = "a tensor (batch, positions, width)";

NetworkTensorId sum(const StatementSite& site, const std::string& part, NetworkTensorId a,
                    NetworkTensorId b) {
  return site.add(part, binary(models::BinaryOp::Add), {a, b});
}

NetworkTensorId addEmbedding(StatementSite& site) {
  const std::uint64_t rows = site.arguments.wholeArgument("rows");
  const std::uint64_t width = site.arguments.wholeArgument("width");
  return site.add("", embedding(), {site.parameter("table", {rows, width}), site.x});
}

/// Adds rows of a table that a further input of the network chooses.
NetworkTensorId addEmbeddingOf(StatementSite& site) {
  site.expectDimensions(3, kSequenceWanted);
  const std::string input = site.arguments.nameArgument("the name of an input");
  const std::uint64_t rows = site.arguments.wholeArgument("rows");
  Shape positions = site.shape();
  const std::uint64_t width = positions.back();
  positions.pop_back();
  const NetworkTensorId indices =
      site.graph.addSource(input, {positions, ElementType::UInt32}, TensorRole::Input);
  const NetworkTensorId found =
      site.add("", embedding(), {site.parameter("table", {rows, width}), indices});
  return sum(site, "add", site.x, found);
}

NetworkTensorId addPositions(StatementSite& site) {
  site.expectDimensions(3, kSequenceWanted);
  const std::uint64_t used = site.shape()[1];
  const std::uint64_t rows = site.arguments.wholeArgument("positions");
  if (rows < used) {
    throw site.statement.error(fmt::format("at least {} positions", used), fmt::format("{}", rows));
  }
  NetworkTensorId table = site.parameter("table", {rows, site.shape().back()});
  if (rows > used) table = site.add("used", slice({0, 0, used}), {table});
  return sum(site, "", site.x, table);
}

/// (batch, channels, field...) as (batch, positions, channels).
NetworkTensorId addToTokens(StatementSite& site) {
  site.expectDimensions(3, "a tensor (batch, channels, field...)");
  const Shape& shape = site.shape();
  const std::uint64_t positions = elementsOf(shape) / (shape[0] * shape[1]);
  const NetworkTensorId flat = site.add("flat", reshape({shape[0], shape[1], positions}), {site.x});
  return site.add("", transpose({0, 2, 1}), {flat});
}

/// Puts a learnt token before the others.
NetworkTensorId addClassToken(StatementSite& site) {
  site.expectDimensions(3, kSequenceWanted);
  const Shape token{1, 1, site.shape().back()};
  const NetworkTensorId tokens =
      site.add("broadcast", broadcastTo({site.shape()[0], 1, token.back()}),
               {site.parameter("token", token)});
  return site.add("", concat(1), {tokens, site.x});
}

NetworkTensorId addFirstToken(StatementSite& site) {
  site.expectDimensions(3, kSequenceWanted);
  const Shape& shape = site.shape();
  const NetworkTensorId first = site.add("", slice({1, 0, 1}), {site.x});
  return site.add("squeeze", reshape({shape[0], shape[2]}), {first});
}

/// The tokens before a position, as (batch, positions, width).
NetworkTensorId addFirstTokens(StatementSite& site) {
  site.expectDimensions(3, kSequenceWanted);
  const std::uint64_t count = site.arguments.wholeArgument("positions");
  const std::uint64_t known = site.shape()[1];
  if (count > known) {
    throw site.statement.error(fmt::format("at most {} positions", known),
                               fmt::format("{}", count));
  }
  return site.add("", slice({1, 0, count}), {site.x});
}

/// The heads of queries, keys or values: (batch, heads, positions, width of a head).
class Heads {
 public:
  Heads(const StatementSite& site, std::uint64_t heads)
      : site_(site),
        batch_(site.shape()[0]),
        positions_(site.shape()[1]),
        width_(site.shape()[2]),
        heads_(heads) {}

  [[nodiscard]] std::uint64_t headWidth() const { return width_ / heads_; }

  [[nodiscard]] NetworkTensorId split(const std::string& part) const {
    const NetworkTensorId y = site_.linear(part, site_.x, width_, true);
    const NetworkTensorId heads =
        site_.add(part + "/heads", reshape({batch_, positions_, heads_, headWidth()}), {y});
    return site_.add(part + "/transpose", transpose({0, 2, 1, 3}), {heads});
  }

  [[nodiscard]] NetworkTensorId join(NetworkTensorId context) const {
    const NetworkTensorId rows = site_.add("context/transpose", transpose({0, 2, 1, 3}), {context});
    return site_.add("context/join", reshape({batch_, positions_, width_}), {rows});
  }

  /// Softmax over all positions, without those that a position must not see.
  [[nodiscard]] NetworkTensorId likelihoods(NetworkTensorId scores, bool is_causal) const {
    const double factor = 1 / std::sqrt(static_cast<double>(headWidth()));
    NetworkTensorId scaled = site_.add("scale", scale(factor), {scores});
    if (is_causal) {
      const NetworkTensorId mask =
          site_.source("mask", {positions_, positions_}, TensorRole::Input);
      scaled = sum(site_, "add_mask", scaled, mask);
    }
    return site_.add("softmax", softmax(3), {scaled});
  }

 private:
  const StatementSite& site_;
  std::uint64_t batch_;
  std::uint64_t positions_;
  std::uint64_t width_;
  std::uint64_t heads_;
};

NetworkTensorId addAttention(StatementSite& site) {
  site.expectDimensions(3, kSequenceWanted);
  const std::uint64_t count = site.arguments.wholeArgument("heads");
  const bool is_causal = site.arguments.flagOption("causal", false);
  const std::uint64_t width = site.shape().back();
  if (width % count != 0) {
    throw site.statement.error(fmt::format("heads that divide a width of {}", width),
                               fmt::format("{}", count));
  }
  const Heads heads(site, count);
  const NetworkTensorId queries = heads.split("query");
  const NetworkTensorId keys = heads.split("key");
  const NetworkTensorId values = heads.split("value");
  const NetworkTensorId scores = site.add(
      "scores", matmul({ProductOperand::Plain, ProductOperand::Transposed}), {queries, keys});
  const NetworkTensorId context =
      site.add("context", matmul(), {heads.likelihoods(scores, is_causal), values});
  return site.linear("output", heads.join(context), width, true);
}

}  // namespace

const std::vector<StatementWord>& transformerWords() {
  static const std::vector<StatementWord> kWords{
      {"add_embedding", addEmbeddingOf}, {"add_positions", addPositions},
      {"attention", addAttention},       {"class_token", addClassToken},
      {"embedding", addEmbedding},       {"first_token", addFirstToken},
      {"first_tokens", addFirstTokens},  {"to_tokens", addToTokens},
  };
  return kWords;
}

}  // namespace ipusim::workloads
