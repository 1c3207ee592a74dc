// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/shl_training.h"

#include "models/gpu/torch_layers.h"
#include "workloads/networks/gpu/gpu_layers.h"
#include "workloads/networks/operations/elementwise/unary.h"
#include "workloads/sources/named/parts/classifier.h"
#include "workloads/sources/named/parts/structured_layers.h"
#include "workloads/sources/network_products.h"

namespace ipusim::workloads {

namespace {

constexpr std::uint64_t kMaxClasses = 1U << 16U;
constexpr std::uint64_t kShlTrainingMaxSteps = 1U << 24U;

struct ShlTraining {
  std::string kind;
  LayerChoice hidden;
  std::uint64_t classes;
  std::uint64_t batch;
  bool has_wrapper_bias;  ///< the class around the hidden layer has a second bias
  Optimiser optimiser;
  TrainingSummary summary;
  bool copies_batch;
};

/// A dense layer of so many features.
AddLayer denseLayer(std::uint64_t features) {
  return [features](const LayerSite& site) { return site.linear("", site.x, features, true); };
}

LayerChoice readLinear(const ConfigReader& config) {
  const std::uint64_t features = config.whole("features", 1, kMaxFeatures);
  return {features, true, denseLayer(features), [=](std::uint64_t batch) {
            return gpu::linearLayer({features, batch});
          }};
}

bool readFlag(const ConfigReader& config, const std::string& key, const char* otherwise) {
  return config.choice(key, {"no", "yes"}, otherwise) == "yes";
}

ShlTraining readShlTraining(const ConfigReader& config) {
  std::vector<std::string> kinds = structuredLayers();
  kinds.emplace_back("linear");
  const std::string kind = config.choice("hidden", kinds);
  const LayerChoice hidden =
      kind == "linear" ? readLinear(config) : readStructuredLayer(config, kind);
  return {kind,
          hidden,
          config.whole("classes", 2, kMaxClasses, 10),
          config.whole("batch", 1, kMaxBatch, 50),
          readFlag(config, "wrapper_bias", "no"),
          readMomentum(config),
          {config.whole("steps", 1, kShlTrainingMaxSteps, 1),
           config.whole("epochs", 1, kShlTrainingMaxSteps, 1),
           config.real("host_step_seconds", 0, 1, 0)},
          readFlag(config, "copy_batch", "no")};
}

Classifier classifierOf(const ShlTraining& training) {
  ForwardNetwork network = networkOf(training.batch, training.hidden.features);
  NetworkTensorId& at = network.results.front();
  const LayerSite hidden = layerBehind(network, "hidden");
  at = training.hidden.add(hidden);
  if (training.has_wrapper_bias) at = hidden.withBias("wrapper", at);
  at = layerBehind(network, "relu").add(unary(UnaryFunction::Relu));
  at = layerBehind(network, "output").linear("", at, training.classes, true);
  return {std::move(network), training.batch, training.optimiser, training.summary,
          training.copies_batch};
}

BuiltWorkload build(const ConfigReader& config, const Architecture& machine,
                    const ShlTraining& training) {
  BuiltWorkload built = buildTraining(config, machine, classifierOf(training));
  const std::uint64_t features = training.hidden.features;
  built.model->dense_parameters = (features + training.classes) * (features + 1);
  return built;
}

}  // namespace

BuiltWorkload buildShlTraining(const ConfigReader& config, const Architecture& machine) {
  const ShlTraining training = readShlTraining(config);
  const bool has_dense = readFlag(config, "dense", "yes") && training.kind != "linear";
  BuiltWorkload built = build(config, machine, training);
  const std::uint64_t features = training.hidden.features;
  const std::uint64_t output = training.classes * (features + 1);
  built.gpu = gpuTraining(
      {training.kind, features, training.classes, training.batch, training.summary.total()},
      training.hidden.gpu(training.batch), built.model->count() - output);
  if (!has_dense) return built;
  built.dense = [=] {
    ShlTraining dense = training;
    dense.hidden.add = denseLayer(features);
    dense.has_wrapper_bias = false;
    return build(config, machine, dense);
  };
  return built;
}

TrainedNetworkPointer readShlNetwork(const ConfigReader& config) {
  const ShlTraining training = readShlTraining(config);
  static_cast<void>(readFlag(config, "dense", "yes"));
  return trainedNetwork(classifierOf(training));
}

LeastSize leastShlTraining(const ConfigReader& config, const System& system) {
  const std::string hidden = config.peekText("hidden").value_or("");
  if (hidden != "linear") return leastSizeOf(config, hidden);
  Classifier classifier = classifierOf(readShlTraining(config));
  addTraining(LossWord::CrossEntropy, classifier.optimiser, classifier.forward);
  return allSizes(leastProducts(system.allTiles(), classifier.forward.graph));
}

}  // namespace ipusim::workloads
