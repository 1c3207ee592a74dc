// SPDX-License-Identifier: Apache-2.0
#include "workloads/shared/structured_layers.h"

#include <functional>
#include <map>

#include "workloads/layers/butterfly.h"
#include "workloads/layers/low_rank.h"

namespace ipusim::workloads {

namespace {

LayerChoice readButterfly(const ConfigReader& config) {
  const ButterflyShape shape = readButterflyShape(config);
  const bool has_bias = readBias(config);
  return {shape.features, has_bias, [=](const LayerSite& site) {
            return std::make_shared<ButterflyLayer>(site, shape, has_bias);
          }};
}

LayerChoice readLowRank(const ConfigReader& config) {
  const std::uint64_t features = config.whole("features", 1, kMaxFeatures);
  const std::uint64_t rank = config.whole("rank", 1, features, 1);
  return {features, true, [=](const LayerSite& site) {
            return std::make_shared<LowRankLayer>(site, LowRankShape{features, features, rank});
          }};
}

using Read = std::function<LayerChoice(const ConfigReader&)>;

const std::map<std::string, Read>& readers() {
  static const std::map<std::string, Read> kReaders{
      {"butterfly", readButterfly},
      {"low_rank", readLowRank},
  };
  return kReaders;
}

}  // namespace

std::uint64_t readFeatures(const ConfigReader& config) {
  const std::uint64_t features = config.whole("features", 2, kMaxFeatures);
  if ((features & (features - 1)) != 0) throw config.error("features", "a power of two");
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
