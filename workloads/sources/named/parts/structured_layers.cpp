// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/parts/structured_layers.h"

#include <algorithm>
#include <functional>
#include <map>

#include "base/numbers/powers_of_two.h"
#include "models/gpu/torch_layers.h"
#include "workloads/networks/operations/products/structured_layers.h"

namespace ipusim::workloads {

namespace {

constexpr std::uint64_t kMaxLayerSeed = 1U << 31U;

LayerChoice readButterfly(const ConfigReader& config) {
  const ButterflyShape shape = readButterflyShape(config);
  const bool has_bias = readBias(config);
  return {shape.features, has_bias,
          [=](const LayerSite& site) {
            const NetworkTensorId y = addButterflyLayer(site, shape);
            return has_bias ? site.withBias("", y) : y;
          },
          [=](std::uint64_t batch) {
            return gpu::butterflyLayer({shape.features, batch});
          }};
}

LayerChoice readLowRank(const ConfigReader& config) {
  const std::uint64_t features = config.whole("features", 1, kMaxFeatures);
  const std::uint64_t rank = config.whole("rank", 1, features, 1);
  return {features, true,
          [=](const LayerSite& site) {
            return site.withBias("", addLowRankLayer(site, features, rank));
          },
          [=](std::uint64_t batch) {
            return gpu::lowRankLayer({features, batch}, rank);
          }};
}

LayerChoice readFastfood(const ConfigReader& config) {
  const std::uint64_t features = readFeatures(config);
  const std::uint64_t seed = config.whole("seed", 0, kMaxLayerSeed, 1);
  return {features, true,
          [=](const LayerSite& site) { return site.withBias("", addFastfoodLayer(site, seed)); },
          [=](std::uint64_t batch) {
            return gpu::fastfoodLayer({features, batch});
          }};
}

LayerChoice readCirculant(const ConfigReader& config) {
  const std::uint64_t features = config.whole("features", 1, kMaxFeatures);
  return {features, true,
          [](const LayerSite& site) { return site.withBias("", addCirculantLayer(site)); },
          [=](std::uint64_t batch) {
            return gpu::circulantLayer({features, batch});
          }};
}

PixelflyShape readPixelflyShape(const ConfigReader& config) {
  PixelflyShape shape{};
  shape.features = config.whole("features", 1, kMaxFeatures);
  shape.butterfly_size = config.whole("butterfly_size", 2, kMaxFeatures);
  shape.block = config.whole("block", 1, kMaxFeatures);
  shape.rank = config.whole("rank", 1, kMaxFeatures);
  shape.block_sum = config.choice("block_sum", {"bags", "one_gather"}, "bags") == "bags"
                        ? BagSum::Bags
                        : BagSum::OneGather;
  return shape;
}

/// The products of all blocks, whose rows become columns before they are summed.
double leastProducts(const PixelflyShape& shape, std::uint64_t batch) {
  double cells = 1;  // of a row of the mask
  for (std::uint64_t bit = 1; bit < shape.butterfly_size; bit *= 2) ++cells;
  const std::uint64_t each = shape.features / shape.butterfly_size / shape.block;
  const double blocks_of_cell = std::max(1.0, static_cast<double>(each));
  const std::uint64_t blocks = shape.features / shape.block;
  const auto lines = static_cast<double>(blocks);
  const double active = std::min(lines, cells * blocks_of_cell);
  return static_cast<double>(shape.features) * active * static_cast<double>(batch);
}

LayerChoice readPixelfly(const ConfigReader& config) {
  const PixelflyShape shape = readPixelflyShape(config);
  if (const auto fault = pixelflyFault(shape)) throw config.error(fault->key, fault->wanted);
  return {shape.features, true,
          [=](const LayerSite& site) { return site.withBias("", addPixelflyLayer(site, shape)); },
          [=](std::uint64_t batch) {
            // A cell of the GPU's mask is at least as wide as a block.
            const std::uint64_t size = std::min(shape.butterfly_size, shape.features / shape.block);
            return gpu::pixelflyLayer({{shape.features, batch}, shape.block, shape.rank, size});
          }};
}

using Read = std::function<LayerChoice(const ConfigReader&)>;

const std::map<std::string, Read>& readers() {
  static const std::map<std::string, Read> kReaders{
      {"butterfly", readButterfly}, {"circulant", readCirculant}, {"fastfood", readFastfood},
      {"low_rank", readLowRank},    {"pixelfly", readPixelfly},
  };
  return kReaders;
}

}  // namespace

std::uint64_t readFeatures(const ConfigReader& config) {
  const std::uint64_t features = config.whole("features", 2, kMaxFeatures);
  if (!isPowerOfTwo(features)) throw config.error("features", "a power of two");
  return features;
}

ButterflyShape readButterflyShape(const ConfigReader& config) {
  ButterflyShape shape{};
  shape.features = readFeatures(config);
  shape.twiddles = config.choice("twiddles", {"tied", "untied"}, "tied") == "tied"
                       ? Twiddles::Tied
                       : Twiddles::Untied;
  shape.order = config.choice("order", {"decreasing", "increasing"}, "increasing") == "increasing"
                    ? StageOrder::Increasing
                    : StageOrder::Decreasing;
  return shape;
}

LeastSize leastSizeOf(const ConfigReader& config, const std::string& kind) {
  LeastSize least;
  if (kind != "fastfood" && kind != "pixelfly") return least;
  const std::uint64_t batch = config.whole("batch", 1, kMaxBatch, 1);
  if (kind == "pixelfly") {
    least.single_elements = leastProducts(readPixelflyShape(config), batch);
  } else {  // a permutation of the columns of each row
    least.single_elements = static_cast<double>(readFeatures(config)) * static_cast<double>(batch);
  }
  return least;
}

std::vector<std::string> structuredLayers() {
  std::vector<std::string> kinds;
  kinds.reserve(readers().size());
  for (const auto& reader : readers()) kinds.push_back(reader.first);
  return kinds;
}

LayerChoice readStructuredLayer(const ConfigReader& config, const std::string& kind) {
  return readers().at(kind)(config);
}

}  // namespace ipusim::workloads
