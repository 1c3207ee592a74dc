// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/shl_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "models/gpu/torch_layers.h"
#include "workloads/networks/dense.h"
#include "workloads/ops/gpu_layers.h"
#include "workloads/sources/named/parts/shl_network.h"
#include "workloads/sources/named/parts/structured_layers.h"

namespace ipusim::workloads {

namespace {

constexpr std::uint64_t kMaxClasses = 1U << 16U;
constexpr std::uint64_t kShlBatch = 50;  // unless a config says another number
constexpr std::uint64_t kShlTrainingMaxSteps = 1U << 24U;
// Covers the rounding of a float through forward, loss, backward and update.
constexpr double kShlTrainingTolerance = 2e-4;
// Products of larger numbers may not fit a float.
constexpr double kLargestChecked = 1e15;

struct ShlTraining {
  ShlShape network;
  std::string kind;
  MakeLayer hidden;
  std::function<gpu::Program(std::uint64_t batch)> gpu;
  TrainingSummary summary;
  SgdRates rates;
  bool copies_batch;
};

LayerChoice readLinear(const ConfigReader& config) {
  const std::uint64_t features = config.whole("features", 1, kMaxFeatures);
  return {features, true, trainedDense(features, features), [=](std::uint64_t batch) {
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
  ShlTraining training{};
  training.network = {hidden.features, config.whole("classes", 2, kMaxClasses, 10),
                      config.whole("batch", 1, kMaxBatch, kShlBatch),
                      readFlag(config, "wrapper_bias", "no")};
  training.kind = kind;
  training.hidden = hidden.make;
  training.gpu = hidden.gpu;
  training.summary = {config.whole("steps", 1, kShlTrainingMaxSteps, 1),
                      config.whole("epochs", 1, kShlTrainingMaxSteps, 1),
                      config.real("host_step_seconds", 0, 1, 0)};
  training.rates = {config.real("learning_rate", 0, 1, 1e-3), config.real("momentum", 0, 1, 0.9)};
  training.copies_batch = readFlag(config, "copy_batch", "no");
  return training;
}

ModelSummary modelOf(const ShlNetwork& network, const ShlShape& shape) {
  ModelSummary model{{},
                     shape.features * (shape.features + 1) + shape.classes * (shape.features + 1)};
  for (const Parameter& parameter : network.parameters()) {
    model.parameters.emplace_back(parameter.name, parameter.tensor.shape());
  }
  return model;
}

/// Throws when computing the differences would take too long.
void expectCheckable(const ConfigReader& config, const ShlTraining& training,
                     std::uint64_t parameters) {
  if (isCheckable(training.network, parameters, training.summary.total())) return;
  throw config.error("features",
                     fmt::format("a smaller network, and few steps: `check` takes each of "
                                 "the {} gradients by differences of the network",
                                 parameters));
}

/// Throws for a training whose numbers leave the range of a float.
void expectFloats(const ConfigReader& config, const Expected& expected) {
  const auto is_float = [](double value) { return std::abs(value) < kLargestChecked; };
  for (const TensorValues& values : expected.values) {
    if (std::all_of(values.begin(), values.end(), is_float)) continue;
    throw config.error("learning_rate",
                       fmt::format("a rate at which all numbers of the training stay below {}: "
                                   "what a float rounds them to says nothing of the program",
                                   kLargestChecked));
  }
}

Network shlModules(const ShlTraining& training) {
  Network network = shlModules(training.network, training.rates, training.kind, training.hidden);
  network.copies_batch = training.copies_batch;
  network.host_step_seconds = training.summary.host_step_seconds;
  return network;
}

BuiltWorkload build(const ConfigReader& config, const Architecture& machine,
                    const ShlTraining& training) {
  BuiltWorkload built;
  Graph& graph = built.graph;
  const auto network =
      std::make_shared<ShlNetwork>(graph, machine, training.network, shlModules(training));
  Program step;
  network->addStep(step);
  const std::uint64_t total = training.summary.total();
  built.program.add(repeat(total, {std::move(step)}));
  built.flops = graph.flops(built.program);
  built.model = modelOf(*network, training.network);
  built.training = training.summary;
  built.samples = total * training.network.batch;
  built.host = [network] { return HostTensors{network->inputs(), network->outputs()}; };
  built.reference = {[=](const std::vector<Values>& inputs) {
                       expectCheckable(config, training,
                                       modelOf(*network, training.network).count());
                       Expected expected = network->reference().step(inputs, training.rates);
                       expectFloats(config, expected);
                       return expected;
                     },
                     kShlTrainingTolerance, total};
  return built;
}

}  // namespace

BuiltWorkload buildShlTraining(const ConfigReader& config, const Architecture& machine) {
  const ShlTraining training = readShlTraining(config);
  const bool has_dense = readFlag(config, "dense", "yes") && config.text("hidden") != "linear";
  BuiltWorkload built = build(config, machine, training);
  const ShlShape& network = training.network;
  const std::uint64_t output = network.classes * (network.features + 1);
  built.gpu = gpuTraining(
      {training.kind, network.features, network.classes, network.batch, training.summary.total()},
      training.gpu(network.batch), built.model->count() - output);
  if (!has_dense) return built;
  built.dense = [=] {
    ShlTraining dense = training;
    dense.hidden = readLinear(config).make;
    dense.network.has_wrapper_bias = false;
    return build(config, machine, dense);
  };
  return built;
}

TrainedNetworkPointer readShlNetwork(const ConfigReader& config) {
  const ShlTraining training = readShlTraining(config);
  static_cast<void>(readFlag(config, "dense", "yes"));
  return trainedNetwork(shlModules(training));
}

LeastSize leastShlTraining(const ConfigReader& config, const Pod& pod) {
  const std::string hidden = config.peekText("hidden").value_or("");
  if (hidden != "linear") return leastSizeOf(config, hidden);
  const Architecture machine = flatMachine(pod);
  MatmulProblem forward;
  forward.pass = ConvPass::FcTrainingFwd;
  forward.m = config.whole("batch", 1, kMaxBatch, kShlBatch);
  forward.k = forward.n = config.whole("features", 1, kMaxFeatures);
  MatmulProblem update = forward;
  update.pass = ConvPass::FcTrainingWu;
  std::swap(update.m, update.k);
  // The gradient of the weights is brought to where the forward pass has them.
  const LeastSize weights = leastDense(machine, forward);
  return weights + weights + leastDense(machine, update);
}

}  // namespace ipusim::workloads
