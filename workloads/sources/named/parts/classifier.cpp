// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/parts/classifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "workloads/networks/cuts/cut_network.h"
#include "workloads/sources/layer_programs.h"
#include "workloads/sources/network_summary.h"

namespace ipusim::workloads {

namespace {

// Products of larger numbers may not fit a float.
constexpr double kLargestChecked = 1e15;
// The most operations of a training that a check computes in doubles, beside the program.
constexpr double kMaxCheckedWork = 2e10;

/// Throws when computing the steps in doubles would take too long.
void expectCheckable(const ConfigReader& config, Flops of_step, std::uint64_t steps) {
  const double work = static_cast<double>(of_step.value()) * static_cast<double>(steps);
  if (work <= kMaxCheckedWork) return;
  throw config.error("steps", fmt::format("a smaller network, and few steps: `check` computes {} "
                                          "steps of {} operations in doubles",
                                          steps, of_step.value()));
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

}  // namespace

ForwardNetwork networkOf(std::uint64_t batch, std::uint64_t features) {
  ForwardNetwork network;
  network.results = {
      network.graph.addSource("x", {{batch, features}, ElementType::Float}, TensorRole::Input)};
  return network;
}

LayerSite layerBehind(ForwardNetwork& network, const std::string& name) {
  return {network.graph, name, network.results.front(), ElementType::Float};
}

Optimiser readMomentum(const ConfigReader& config) {
  Optimiser optimiser;
  optimiser.rule = OptimiserRule::Momentum;
  optimiser.rate = config.real("learning_rate", 0, 1, optimiser.rate);
  optimiser.momentum = config.real("momentum", 0, 1, optimiser.momentum);
  return optimiser;
}

BuiltWorkload buildTraining(const ConfigReader& config, const Architecture& machine,
                            Classifier classifier) {
  ForwardNetwork& network = classifier.forward;
  addTraining(LossWord::CrossEntropy, classifier.optimiser, network);
  const std::uint64_t steps = classifier.summary.total();
  const Flops of_step = workOf(network.graph);
  BuiltWorkload built;
  built.model = modelOf(network.graph);
  built.training = classifier.summary;
  built.samples = steps * classifier.batch;
  Program step = setNetwork(std::move(network.graph), network.results,
                            {machine, config.place("kind"), steps, classifier.copies_batch}, built);
  built.program.add(repeat(steps, {std::move(step)}));
  built.flops = built.graph.flops(built.program);
  built.reference->compute =
      [=, compute = built.reference->compute](const std::vector<TensorValues>& inputs) {
        expectCheckable(config, of_step, steps);
        Expected expected = compute(inputs);
        expectFloats(config, expected);
        return expected;
      };
  return built;
}

TrainedNetworkPointer trainedNetwork(Classifier classifier) {
  (void)addLoss(LossWord::CrossEntropy, classifier.forward);
  NetworkToTrain network{std::move(classifier.forward.graph), classifier.optimiser,
                         classifier.batch};
  network.copies_batch = classifier.copies_batch;
  network.host_step_seconds = classifier.summary.host_step_seconds;
  return trainedNetwork(std::move(network));
}

}  // namespace ipusim::workloads
