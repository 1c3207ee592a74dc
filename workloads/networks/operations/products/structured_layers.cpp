// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/products/structured_layers.h"

#include <numeric>
#include <random>
#include <utility>

#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/products/product.h"
#include "workloads/networks/operations/products/structured.h"
#include "workloads/networks/operations/shaping.h"

namespace ipusim::workloads {

namespace {

/// The operand as rows, which a layer works on, and a result in its shape.
class RowsOfOperand {
 public:
  explicit RowsOfOperand(const LayerSite& site) : site_(site), shape_(site.shape()) {}

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
  const LayerSite& site_;
  Shape shape_;
};

}  // namespace

NetworkTensorId addButterflyLayer(const LayerSite& site, const ButterflyShape& shape) {
  return site.graph
      .addNode(site.name, butterflyStages(shape),
               {site.x, site.parameter("twiddles", twiddleShape(shape))})
      .front();
}

NetworkTensorId addFusedButterflyLayer(const LayerSite& site, const ButterflyShape& shape) {
  return site.add("", fusedButterfly(shape),
                  {site.x, site.parameter("twiddles", twiddleShape(shape))});
}

NetworkTensorId addLowRankLayer(const LayerSite& site, std::uint64_t outputs, std::uint64_t rank) {
  const std::uint64_t inputs = site.shape().back();
  const NetworkTensorId narrow =
      site.add("h", matmul(), {site.x, site.parameter("h", {inputs, rank})});
  return site.add("g", matmul(), {narrow, site.parameter("g", {rank, outputs})});
}

RowNumbers circulantIndices(std::uint64_t features) {
  return {features * features, [features](std::uint64_t element) {
            const std::uint64_t row = element / features;
            const std::uint64_t column = element % features;
            return (features + row - column) % features;
          }};
}

NetworkTensorId addCirculantLayer(const LayerSite& site) {
  const std::uint64_t features = site.shape().back();
  const NetworkTensorId elements =
      site.add("look_up", lookUpRows(circulantIndices(features), features),
               {site.parameter("c", {features, 1})});
  const NetworkTensorId matrix = site.add("matrix", reshape({features, features}), {elements});
  return site.add("", matmul({ProductOperand::Plain, ProductOperand::Transposed}),
                  {site.x, matrix});
}

std::vector<std::uint64_t> randomPermutation(std::uint64_t size, std::uint64_t seed) {
  // The standard fixes the bits of the generator, but not the result of std::shuffle.
  std::mt19937_64 generator(seed);
  std::vector<std::uint64_t> permutation(size);
  std::iota(permutation.begin(), permutation.end(), std::uint64_t{0});
  for (std::uint64_t left = size; left > 1; --left) {
    std::swap(permutation[left - 1], permutation[generator() % left]);
  }
  return permutation;
}

NetworkTensorId addFastfoodLayer(const LayerSite& site, std::uint64_t seed) {
  const std::uint64_t features = site.shape().back();
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
  return operand.shaped(scaled(second, "s"));
}

NetworkTensorId addPixelflyLayer(const LayerSite& site, const PixelflyShape& shape) {
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
  const NetworkTensorId low_rank = addLowRankLayer(site, shape.features, shape.rank);
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
  return site.add("", binary(models::BinaryOp::Add), {low_rank, operand.shaped(y)});
}

}  // namespace ipusim::workloads
