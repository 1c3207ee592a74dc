// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/mlp_training.h"

#include <fmt/format.h>

#include "workloads/networks/operations/elementwise/unary.h"
#include "workloads/sources/named/parts/classifier.h"
#include "workloads/sources/named/parts/layer.h"

namespace ipusim::workloads {

namespace {

constexpr std::size_t kMlpTrainingFewestDims = 2;
constexpr std::size_t kMlpTrainingMostDims = 1025;
constexpr std::uint64_t kMostMlpSteps = 1U << 24U;
std::vector<std::uint64_t> readDims(const ConfigReader& config) {
  std::vector<std::uint64_t> dims = config.wholes("dims", 1, kMaxFeatures);
  if (dims.size() < kMlpTrainingFewestDims) throw config.error("dims", "at least two sizes");
  if (dims.size() > kMlpTrainingMostDims) {
    throw config.error("dims", fmt::format("at most {} sizes", kMlpTrainingMostDims));
  }
  if (dims.back() < 2) throw config.error("dims", "at least two classes");
  return dims;
}

Classifier readMlp(const ConfigReader& config) {
  const std::vector<std::uint64_t> dims = readDims(config);
  const std::uint64_t batch = config.whole("batch", 1, kMaxBatch);
  ForwardNetwork network = networkOf(batch, dims.front());
  NetworkTensorId& at = network.results.front();
  for (std::size_t l = 0; l + 1 < dims.size(); ++l) {
    at = layerBehind(network, fmt::format("linear{}", l)).linear("", at, dims[l + 1], true);
    if (l + 2 == dims.size()) break;
    at = layerBehind(network, fmt::format("relu{}", l)).add(unary(UnaryFunction::Relu));
  }
  return {std::move(network),
          batch,
          readMomentum(config),
          {config.whole("steps", 1, kMostMlpSteps, 1), 1, 0}};
}

}  // namespace

BuiltWorkload buildMlpTraining(const ConfigReader& config, const Architecture& machine) {
  return buildTraining(config, machine, readMlp(config));
}

TrainedNetworkPointer readMlpNetwork(const ConfigReader& config) {
  return trainedNetwork(readMlp(config));
}

}  // namespace ipusim::workloads
