// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/network_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <unordered_map>
#include <utility>

#include "workloads/networks/dag/backward.h"
#include "workloads/networks/dag/counts.h"
#include "workloads/networks/dag/evaluate.h"
#include "workloads/networks/dag/made_up.h"
#include "workloads/networks/dag/network_lowering.h"
#include "workloads/networks/dag/softmax.h"
#include "workloads/sources/network_compression.h"

namespace ipusim::workloads {

namespace {

constexpr std::uint64_t kMaxSteps = 1U << 24U;
constexpr double kFloatTolerance = 2e-4;
constexpr double kHalfTolerance = 3e-2;
// Covers the roundings of a value that an update adds to.
constexpr double kRoundingOfUpdate = 4.0 / (1U << 24U);
constexpr double kRoundingOfHalfUpdate = 4.0 / (1U << 11U);
// How far numbers may be off, as a multiple of what rounding the results of operations moves them.
// Programs round inside operations too, and some networks magnify that: the gradient through a
// batch norm over two elements is the small difference of large numbers.
constexpr double kNoiseOfRounding = 8;

constexpr Words<LossWord, 2> kLosses{{
    {LossWord::CrossEntropy, "cross_entropy"},
    {LossWord::SquaredError, "squared_error"},
}};

/// Adds the loss, the backward pass and the updates. The loss becomes the result.
NetworkTensorId addLoss(const NetworkTraining& training, ForwardNetwork& network) {
  NetworkGraph& graph = network.graph;
  const TensorType result = graph[network.result].type;
  if (training.loss == LossWord::SquaredError) {
    const NetworkTensorId target = graph.addSource("target", result, TensorRole::Input);
    return graph.add("loss", squaredErrorLoss(), {network.result, target});
  }
  Shape rows = result.shape;
  if (rows.empty()) throw OperandError("loss: logits (rows..., classes)", textOf(rows));
  rows.pop_back();
  const NetworkTensorId labels =
      graph.addSource("labels", {rows, ElementType::UInt32}, TensorRole::Input);
  return graph.add("loss", crossEntropyLoss(), {network.result, labels});
}

void addTraining(const NetworkTraining& training, ForwardNetwork& network) {
  network.result = addLoss(training, network);
  NetworkGraph& graph = network.graph;
  addUpdates(graph, addBackward(graph, network.result), training.optimiser);
}

bool hasUpdates(const NetworkGraph& graph) {
  const auto& nodes = graph.nodes();
  return std::any_of(nodes.begin(), nodes.end(),
                     [](const NetworkNode& node) { return node.pass == NetworkPass::Update; });
}

/// Calls `make`, whose mistakes are those of what stands at `key`.
template <typename Make>
void makeFrom(const ConfigReader& config, const char* key, const Make& make) {
  try {
    make();
  } catch (const OperandError& mistake) {
    throw ConfigError(config.place(key) + ": " + mistake.what());
  } catch (const NotLowered& missing) {
    throw ConfigError(config.place(key) + ": " + missing.what());
  } catch (const ConfigError& mistake) {  // of a planner
    throw ConfigError(config.place(key) + ": " + mistake.what());
  }
}

/// Throws for a key of an optimiser that another one is chosen for.
void expectUsed(const ConfigReader& train, OptimiserRule rule) {
  const bool has_mean = rule != OptimiserRule::Sgd;
  const bool has_square = rule == OptimiserRule::Adam || rule == OptimiserRule::Lamb;
  const std::array<std::pair<const char*, bool>, 4> uses{{{"momentum", has_mean},
                                                          {"square_momentum", has_square},
                                                          {"epsilon", has_square},
                                                          {"trust", rule == OptimiserRule::Lars}}};
  for (const auto& [key, is_used] : uses) {
    if (is_used || !train.has(key)) continue;
    throw train.error(key, fmt::format("no {} beside the optimiser {}, which does not use it", key,
                                       wordOf(rule, kOptimiserRules)));
  }
}

/// A network on tiles, and which of its tensors the host writes and reads.
class NetworkOnTiles {
 public:
  NetworkOnTiles(ForwardNetwork network, Graph& graph, const Architecture& machine,
                 Program& program)
      : network_(std::move(network.graph)),
        nudged_(std::move(network.nudged)),
        result_(network.result) {
    tensors_ = lowerNetwork(network_, {result_}, graph, machine, program);
    for (const NetworkNode& node : network_.nodes()) {
      if (node.pass == NetworkPass::Update) addUpdated(node);
    }
  }

  [[nodiscard]] HostTensors hostTensors() const {
    HostTensors host;
    for (const NetworkTensorId source : sources()) host.inputs.push_back(hostTensor(source));
    host.outputs.push_back({network_[result_].name, *tensors_[indexOf(result_)]});
    for (const auto& [source, updated] : updates_) host.outputs.push_back(hostTensor(source));
    return host;
  }

  /// What the outputs hold after one round.
  [[nodiscard]] Expected expected(const std::vector<TensorValues>& inputs) const {
    std::unordered_map<std::size_t, TensorValues> values;
    const std::vector<NetworkTensorId> from = sources();
    for (std::size_t s = 0; s < from.size(); ++s) values.emplace(indexOf(from[s]), inputs[s]);
    const std::vector<TensorValues> all = evaluate(network_, values);
    const std::vector<TensorValues> rounded = evaluate(network_, values, EvaluatedResults::Rounded);
    std::vector<std::vector<TensorValues>> nudged;
    for (const NetworkGraph& graph : nudged_) nudged.push_back(evaluate(graph, values));
    const auto noiseOf = [&](NetworkTensorId tensor) {
      const TensorValues& exact = all[indexOf(tensor)];
      double noise = kNoiseOfRounding * largestDifference(exact, rounded[indexOf(tensor)]);
      for (const auto& other : nudged) {
        noise = std::max(noise, largestDifference(exact, other[indexOf(tensor)]));
      }
      return noise;
    };
    const TensorValues& result = all[indexOf(result_)];
    Expected expected(std::vector<TensorValues>{result});
    expected.slack.emplace_back(result.size(), noiseOf(result_));
    expected.scales.push_back(largestOf(result));
    for (const auto& [source, updated] : updates_) {
      const bool is_half = network_[source].type.type == ElementType::Half;
      addUpdate({all[indexOf(source)], all[indexOf(updated)], noiseOf(updated),
                 is_half ? kRoundingOfHalfUpdate : kRoundingOfUpdate},
                expected);
    }
    return expected;
  }

  [[nodiscard]] ModelSummary model() const {
    ModelSummary summary{{}, parameterCount(network_)};
    for (const NetworkTensorId parameter : network_.tensorsOf(TensorRole::Parameter)) {
      summary.parameters.emplace_back(network_[parameter].name, network_.shapeOf(parameter));
    }
    return summary;
  }

  /// What stands before the first '/' of the names of nodes names the layer. A parameter belongs to
  /// the first layer that reads it.
  [[nodiscard]] std::vector<LayerSummary> layers() const {
    std::vector<LayerSummary> layers;
    std::unordered_map<std::string, std::size_t> by_name;
    std::vector<bool> is_counted(network_.tensors().size(), false);
    for (const NetworkNode& node : network_.nodes()) {
      if (node.pass != NetworkPass::Forward) continue;
      const std::string name = node.name.substr(0, node.name.find('/'));
      const auto [at, is_new] = by_name.emplace(name, layers.size());
      if (is_new) layers.push_back({name, node.operation->kind(), 0, {}});
      LayerSummary& layer = layers[at->second];
      layer.forward_flops += node.operation->flops(network_.typesOf(node.operands));
      for (const NetworkTensorId operand : node.operands) {
        if (network_[operand].role != TensorRole::Parameter || is_counted[indexOf(operand)]) {
          continue;
        }
        is_counted[indexOf(operand)] = true;
        layer.parameters += elementsOf(network_.shapeOf(operand));
      }
    }
    return layers;
  }

  [[nodiscard]] Flops flops() const {
    Flops flops;
    for (const NetworkPass pass :
         {NetworkPass::Forward, NetworkPass::Backward, NetworkPass::Update}) {
      flops += flopsOf(network_, pass);
    }
    return flops;
  }

 private:
  void addUpdated(const NetworkNode& node) {
    updates_.emplace_back(node.operands[0], node.results[0]);
    for (std::size_t r = 1; r < node.results.size(); ++r) {
      updates_.emplace_back(node.operands[r + 1], node.results[r]);
    }
  }

  /// All sources that the program reads.
  [[nodiscard]] std::vector<NetworkTensorId> sources() const {
    std::vector<NetworkTensorId> found;
    for (const TensorRole role :
         {TensorRole::Input, TensorRole::Parameter, TensorRole::Constant, TensorRole::State}) {
      for (const NetworkTensorId source : network_.tensorsOf(role)) {
        if (tensors_[indexOf(source)]) found.push_back(source);
      }
    }
    return found;
  }

  [[nodiscard]] HostTensor hostTensor(NetworkTensorId source) const {
    const TensorValues& known = network_[source].values;
    return {network_[source].name, *tensors_[indexOf(source)], valuesBelow(source),
            known.empty() ? madeUpValues(network_, source) : known};
  }

  /// The classes of labels, the rows of a table for its indices.
  [[nodiscard]] std::uint64_t valuesBelow(NetworkTensorId source) const {
    for (const NetworkNode& node : network_.nodes()) {
      if (node.operands.size() != 2 || node.operands[1] != source) continue;
      const Shape& first = network_.shapeOf(node.operands[0]);
      return node.operation->kind() == "embedding" ? first.front() : first.back();
    }
    return 2;
  }

  static double largestOf(const TensorValues& values) {
    double largest = 0;
    for (const double value : values) largest = std::max(largest, std::abs(value));
    return largest;
  }

  /// 0 where a difference is no number: such an output must not be forgiven.
  static double largestDifference(const TensorValues& a, const TensorValues& b) {
    double largest = 0;
    for (std::size_t e = 0; e < a.size(); ++e) largest = std::max(largest, std::abs(a[e] - b[e]));
    return std::isfinite(largest) ? largest : 0;
  }

  /// A tensor before an update and after it.
  struct Update {
    const TensorValues& before;
    const TensorValues& after;
    double noise;     ///< of all elements
    double rounding;  ///< of each, relative
  };

  static void addUpdate(const Update& update, Expected& expected) {
    TensorValues slack;
    double change = 0;
    for (std::size_t e = 0; e < update.after.size(); ++e) {
      const double before = update.before[e];
      const double after = update.after[e];
      slack.push_back(update.noise + update.rounding * std::max(std::abs(before), std::abs(after)));
      change = std::max(change, std::abs(after - before));
    }
    expected.values.push_back(update.after);
    expected.slack.push_back(std::move(slack));
    expected.scales.push_back(change);
  }

  NetworkGraph network_;
  std::vector<NetworkGraph> nudged_;
  NetworkTensorId result_;
  LoweredTensors tensors_;
  /// Parameters and states, each with the result that is written over it.
  std::vector<std::pair<NetworkTensorId, NetworkTensorId>> updates_;
};

}  // namespace

std::optional<NetworkTraining> readNetworkTraining(const ConfigReader& config) {
  if (!config.has("train")) return std::nullopt;
  const ConfigReader train = config.table("train");
  NetworkTraining training{};
  training.loss = readWord(train, "loss", kLosses, LossWord::CrossEntropy);
  training.optimiser.rule = readWord(train, "optimiser", kOptimiserRules, OptimiserRule::Momentum);
  training.optimiser.rate = train.real("learning_rate", 0, 1, training.optimiser.rate);
  training.optimiser.momentum = train.real("momentum", 0, 1, training.optimiser.momentum);
  training.optimiser.square_momentum =
      train.real("square_momentum", 0, 1, training.optimiser.square_momentum);
  training.optimiser.weight_decay =
      train.real("weight_decay", 0, 1, training.optimiser.weight_decay);
  training.optimiser.trust = train.real("trust", 0, 1, training.optimiser.trust);
  training.optimiser.epsilon = train.real("epsilon", 0, 1, training.optimiser.epsilon);
  training.steps = train.whole("steps", 1, kMaxSteps, 1);
  expectUsed(train, training.optimiser.rule);
  return training;
}

BuiltWorkload buildNetworkProgram(const ConfigReader& config, const char* key,
                                  ForwardNetwork forward,
                                  const std::optional<NetworkTraining>& training,
                                  const Architecture& machine) {
  const ElementType type = forward.graph[forward.result].type.type;
  const std::optional<NetworkCompression> compression = readNetworkCompression(config);
  BuiltWorkload built;
  Program step;
  std::shared_ptr<const NetworkOnTiles> network;
  makeFrom(config, key, [&] {
    forward.graph = withoutUnread(forward.graph, forward.result);
    if (forward.graph.nodes().empty()) throw NotLowered("a network without operations");
    if (training) addTraining(*training, forward);
  });
  if (training && !hasUpdates(forward.graph)) {
    throw config.error("train", "no train beside a network that has no parameters to learn");
  }
  if (compression) {
    makeFrom(config, "compress", [&] {
      CompressedNetwork compressed = compress(*compression, forward.graph);
      forward.graph = std::move(compressed.graph);
      forward.nudged = std::move(compressed.nudged);
      built.compression = std::move(compressed.summary);
    });
  }
  makeFrom(config, key, [&] {
    network =
        std::make_shared<const NetworkOnTiles>(std::move(forward), built.graph, machine, step);
  });
  const std::uint64_t steps = training ? training->steps : 1;
  if (training) {
    built.program.add(repeat(steps, {std::move(step)}));
    built.training = TrainingSummary{steps, 1, 0};
  } else {
    built.program = std::move(step);
  }
  built.flops = network->flops() * steps;
  built.model = network->model();
  built.layers = network->layers();
  built.host = [network] { return network->hostTensors(); };
  built.reference = {
      [network](const std::vector<TensorValues>& inputs) { return network->expected(inputs); },
      type == ElementType::Half ? kHalfTolerance : kFloatTolerance, steps};
  return built;
}

}  // namespace ipusim::workloads
