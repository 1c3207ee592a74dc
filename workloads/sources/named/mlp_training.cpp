// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/mlp_training.h"

#include <fmt/format.h>

#include "workloads/networks/dense.h"
#include "workloads/networks/training_stage.h"
#include "workloads/sources/named/parts/layer.h"
#include "workloads/sources/named/parts/mlp_reference.h"

namespace ipusim::workloads {

namespace {

constexpr std::size_t kMlpTrainingFewestDims = 2;
constexpr std::size_t kMlpTrainingMostDims = 1025;
constexpr std::uint64_t kMostMlpSteps = 1U << 24U;
// Covers the rounding of a float through forward, loss, backward and update.
constexpr double kMlpTrainingTolerance = 2e-4;

struct MlpTraining {
  MlpShape shape;
  SgdRates rates;
  std::uint64_t steps;
};

MlpTraining readMlpTraining(const ConfigReader& config) {
  MlpTraining training{
      {config.wholes("dims", 1, kMaxFeatures), config.whole("batch", 1, kMaxBatch)},
      {config.real("learning_rate", 0, 1, 1e-3), config.real("momentum", 0, 1, 0.9)},
      config.whole("steps", 1, kMostMlpSteps, 1)};
  const std::size_t count = training.shape.dims.size();
  if (count < kMlpTrainingFewestDims) throw config.error("dims", "at least two sizes");
  if (count > kMlpTrainingMostDims)
    throw config.error("dims", fmt::format("at most {} sizes", kMlpTrainingMostDims));
  if (training.shape.dims.back() < 2) throw config.error("dims", "at least two classes");
  return training;
}

Network mlpModules(const MlpTraining& training) {
  Network network{{}, training.shape.batch, training.rates};
  const std::vector<std::uint64_t>& dims = training.shape.dims;
  for (std::size_t l = 0; l + 1 < dims.size(); ++l) {
    network.modules.push_back({fmt::format("linear{}", l),
                               fmt::format("linear {} {}", dims[l], dims[l + 1]), ModuleKind::Layer,
                               dims[l], dims[l + 1], trainedDense(dims[l], dims[l + 1])});
    if (l + 2 == dims.size()) break;
    network.modules.push_back({fmt::format("relu{}", l), fmt::format("relu {}", dims[l + 1]),
                               ModuleKind::Relu, dims[l + 1], dims[l + 1]});
  }
  network.modules.push_back({"loss", fmt::format("loss {}", dims.back()), ModuleKind::SoftmaxLoss,
                             dims.back(), dims.back()});
  return network;
}

HostTensors hostTensors(const TrainingStage& stage, std::uint64_t classes) {
  HostTensors host{{{"x", stage.x()}, {"labels", stage.labels(), classes}},
                   {{"loss", stage.loss()}}};
  const auto add = [&host](const std::string& name, const Tensor& tensor) {
    host.inputs.push_back({name, tensor});
    host.outputs.push_back({name, tensor});
  };
  const std::vector<Parameter>& learnt = stage.parameters();
  for (const Parameter& parameter : learnt) add(parameter.name, parameter.tensor);
  for (std::size_t p = 0; p < learnt.size(); ++p) {
    add(learnt[p].name + "/velocity", stage.states()[p]);
  }
  return host;
}

ModelSummary modelOf(const TrainingStage& stage) {
  ModelSummary model{{}, 0};
  for (const Parameter& parameter : stage.parameters()) {
    model.parameters.emplace_back(parameter.name, parameter.tensor.shape());
  }
  model.dense_parameters = model.count();
  return model;
}

}  // namespace

BuiltWorkload buildMlpTraining(const ConfigReader& config, const Architecture& machine) {
  const MlpTraining training = readMlpTraining(config);
  const Network network = mlpModules(training);
  BuiltWorkload built;
  TrainingStage stage(built.graph, machine, network, {0, network.modules.size()}, {});
  Program step;
  stage.addForward(step);
  stage.addBackward(step);
  stage.addUpdate(step);
  built.program.add(repeat(training.steps, {std::move(step)}));
  built.flops = built.graph.flops(built.program);
  built.model = modelOf(stage);
  built.training = TrainingSummary{training.steps, 1, 0};
  built.samples = training.steps * training.shape.batch;
  built.host = [host = hostTensors(stage, training.shape.dims.back())] { return host; };
  built.reference = {[training](const std::vector<Values>& inputs) {
                       return mlpStep(training.shape, training.rates, inputs);
                     },
                     kMlpTrainingTolerance, training.steps};
  return built;
}

TrainedNetworkPointer readMlpNetwork(const ConfigReader& config) {
  return trainedNetwork(mlpModules(readMlpTraining(config)));
}

}  // namespace ipusim::workloads
