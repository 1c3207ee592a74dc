// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/training/optimiser.h"

#include <cmath>
#include <numeric>
#include <string>
#include <unordered_map>

#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/networks/training/optimiser_lowering.h"

namespace ipusim::workloads {

namespace {

double normOf(const TensorValues& values) {
  return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
}

double ratioOf(double numerator, double denominator) {
  return numerator > 0 && denominator > 0 ? numerator / denominator : 1;
}

/// A parameter, its gradient and its states, before and after an update.
struct Update {
  TensorValues weights;
  const TensorValues& gradient;
  std::vector<TensorValues> states;
};

void stepPlain(const Optimiser& o, Update& update) {
  for (std::size_t e = 0; e < update.weights.size(); ++e) {
    update.weights[e] -= o.rate * (update.gradient[e] + o.weight_decay * update.weights[e]);
  }
}

void stepMomentum(const Optimiser& o, Update& update) {
  for (std::size_t e = 0; e < update.weights.size(); ++e) {
    double& velocity = update.states[0][e];
    velocity = o.momentum * velocity + update.gradient[e] + o.weight_decay * update.weights[e];
    update.weights[e] -= o.rate * velocity;
  }
}

void stepLars(const Optimiser& o, Update& update) {
  const double weights = normOf(update.weights);
  const double local =
      o.trust * ratioOf(weights, normOf(update.gradient) + o.weight_decay * weights);
  for (std::size_t e = 0; e < update.weights.size(); ++e) {
    double& velocity = update.states[0][e];
    velocity = o.momentum * velocity +
               o.rate * local * (update.gradient[e] + o.weight_decay * update.weights[e]);
    update.weights[e] -= velocity;
  }
}

void stepAdam(const Optimiser& o, Update& update) {
  TensorValues step(update.weights.size());
  for (std::size_t e = 0; e < step.size(); ++e) {
    const double g = update.gradient[e];
    double& mean = update.states[0][e];
    double& square = update.states[1][e];
    mean = o.momentum * mean + (1 - o.momentum) * g;
    square = o.square_momentum * square + (1 - o.square_momentum) * g * g;
    step[e] = mean / (std::sqrt(square) + o.epsilon) + o.weight_decay * update.weights[e];
  }
  const bool is_lamb = o.rule == OptimiserRule::Lamb;
  const double ratio = is_lamb ? ratioOf(normOf(update.weights), normOf(step)) : 1;
  for (std::size_t e = 0; e < step.size(); ++e) update.weights[e] -= o.rate * ratio * step[e];
}

/// Operations on an element in a step of each rule, norms included.
std::uint64_t flopsPerElement(OptimiserRule rule) {
  switch (rule) {
    case OptimiserRule::Sgd:
      return 4;
    case OptimiserRule::Momentum:
      return 6;
    case OptimiserRule::Lars:
      return 10;
    case OptimiserRule::Adam:
      return 14;
    case OptimiserRule::Lamb:
      break;
  }
  return 18;
}

/// (parameter, gradient, states...) gives (parameter, states...).
class UpdateOperation final : public Operation {
 public:
  explicit UpdateOperation(const Optimiser& optimiser) : optimiser_(optimiser) {}
  [[nodiscard]] std::string kind() const override {
    return std::string(wordOf(optimiser_.rule, kOptimiserRules)) + "_update";
  }
  [[nodiscard]] std::optional<std::string> settings() const override { return ""; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 2 + statesOf(optimiser_.rule));
    TensorTypes results{operands[0]};
    results.insert(results.end(), operands.begin() + 2, operands.end());
    return results;
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0], flopsPerElement(optimiser_.rule));
  }
  [[nodiscard]] bool isNeverNegative(std::size_t operand) const override {
    constexpr std::size_t kSquares = 3;
    return operand == kSquares;
  }
  [[nodiscard]] double keptShare(std::size_t result) const override {
    constexpr std::size_t kMean = 1;
    constexpr std::size_t kSquare = 2;
    if (result == kMean) return optimiser_.momentum;
    return result == kSquare ? optimiser_.square_momentum : 1;
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return lowerUpdate(optimiser_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    Update update{operands[0].values, operands[1].values, {}};
    for (std::size_t o = 2; o < operands.size(); ++o) update.states.push_back(operands[o].values);
    step(update);
    std::vector<TensorValues> results{std::move(update.weights)};
    for (TensorValues& state : update.states) results.push_back(std::move(state));
    return results;
  }

 private:
  void step(Update& update) const {
    switch (optimiser_.rule) {
      case OptimiserRule::Sgd:
        return stepPlain(optimiser_, update);
      case OptimiserRule::Momentum:
        return stepMomentum(optimiser_, update);
      case OptimiserRule::Lars:
        return stepLars(optimiser_, update);
      case OptimiserRule::Adam:
      case OptimiserRule::Lamb:
        return stepAdam(optimiser_, update);
    }
  }

  Optimiser optimiser_;
};

/// The names of the first nodes that read each tensor.
std::unordered_map<std::size_t, std::string> firstReaders(const NetworkGraph& graph) {
  std::unordered_map<std::size_t, std::string> readers;
  for (const NetworkNode& node : graph.nodes()) {
    for (const NetworkTensorId operand : node.operands) {
      readers.emplace(indexOf(operand), node.name);
    }
  }
  return readers;
}

/// The name of a parameter behind that of the layer that reads it first.
std::string nameWithin(const std::unordered_map<std::size_t, std::string>& readers,
                       NetworkTensorId parameter, const std::string& name) {
  const std::string& reader = readers.at(indexOf(parameter));
  const std::string layer = reader.substr(0, reader.find('/')) + "/";
  return name.compare(0, layer.size(), layer) == 0 ? name : layer + name;
}

}  // namespace

bool readsNorms(OptimiserRule rule) {
  return rule == OptimiserRule::Lars || rule == OptimiserRule::Lamb;
}

std::size_t statesOf(OptimiserRule rule) {
  if (rule == OptimiserRule::Sgd) return 0;
  return rule == OptimiserRule::Adam || rule == OptimiserRule::Lamb ? 2 : 1;
}

void addUpdates(NetworkGraph& graph, const TensorGradients& gradients, const Optimiser& optimiser) {
  const auto operation = std::make_shared<UpdateOperation>(optimiser);
  graph.setPass(NetworkPass::Update);
  const auto readers = firstReaders(graph);
  for (const NetworkTensorId parameter : graph.tensorsOf(TensorRole::Parameter)) {
    const std::optional<NetworkTensorId>& gradient = gradients.at(indexOf(parameter));
    if (!gradient) continue;
    const NetworkTensor& weights = graph[parameter];
    std::vector<NetworkTensorId> operands{parameter, *gradient};
    for (std::size_t s = 0; s < statesOf(optimiser.rule); ++s) {
      const std::string name = weights.name + (s == 0 ? "/momentum" : "/square_momentum");
      operands.push_back(graph.addSource(name, weights.type, TensorRole::State));
    }
    graph.addNode(nameWithin(readers, parameter, weights.name) + "/update", operation, operands);
  }
}

}  // namespace ipusim::workloads
