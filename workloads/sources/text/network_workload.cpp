// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/text/network_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "models/ipu/system/element_words.h"
#include "workloads/networks/dag/counts.h"
#include "workloads/networks/dag/evaluate.h"
#include "workloads/networks/dag/network_lowering.h"
#include "workloads/networks/dag/optimiser.h"
#include "workloads/networks/dag/softmax.h"
#include "workloads/sources/named/parts/layer.h"
#include "workloads/sources/text/network_text.h"

namespace ipusim::workloads {

namespace {

constexpr std::uint64_t kMaxSteps = 1U << 24U;
constexpr double kFloatTolerance = 2e-4;
constexpr double kHalfTolerance = 3e-2;
// Covers the roundings of a value that an update adds to.
constexpr double kRoundingOfUpdate = 4.0 / (1U << 24U);

enum class LossWord : std::uint8_t { CrossEntropy, SquaredError };
constexpr Words<LossWord, 2> kLosses{{
    {LossWord::CrossEntropy, "cross_entropy"},
    {LossWord::SquaredError, "squared_error"},
}};

struct Training {
  LossWord loss;
  Optimiser optimiser;
  std::uint64_t steps;
};

std::optional<Training> readTraining(const ConfigReader& config) {
  if (!config.has("train")) return std::nullopt;
  const ConfigReader train = config.table("train");
  Training training{};
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
  return training;
}

/// The text, and what stands before the line of a mistake in it.
struct NetworkSource {
  std::string text;
  std::string key;
  std::string file;  ///< empty for text in the config

  [[nodiscard]] ConfigError error(const ConfigReader& config, const StatementError& mistake) const {
    if (!file.empty())
      return ConfigError(fmt::format("{}:{}: {}", file, mistake.line, mistake.what()));
    return ConfigError(
        fmt::format("{}: line {}: {}", config.place(key), mistake.line, mistake.what()));
  }
};

NetworkSource readSource(const ConfigReader& config) {
  if (!config.has("file")) return {config.text("layers"), "layers", ""};
  if (config.has("layers")) throw config.error("layers", "no layers beside a file");
  const std::filesystem::path file = config.path("file");
  return {readConfigText(file), "file", file.string()};
}

/// The network, and the results that the host reads.
struct ReadNetwork {
  NetworkGraph graph;
  NetworkTensorId result;  ///< of the forward pass, or the loss
};

NetworkTensorId addLoss(const Training& training, TextNetwork& network) {
  NetworkGraph& graph = network.graph;
  const TensorType result = graph[network.result].type;
  if (training.loss == LossWord::SquaredError) {
    const NetworkTensorId target = graph.addSource("target", result, TensorRole::Input);
    return graph.add("loss", squaredErrorLoss(), {network.result, target});
  }
  Shape rows = result.shape;
  rows.pop_back();
  const NetworkTensorId labels =
      graph.addSource("labels", {rows, ElementType::UInt32}, TensorRole::Input);
  return graph.add("loss", crossEntropyLoss(), {network.result, labels});
}

ReadNetwork readGraph(const ConfigReader& config, const std::optional<Training>& training) {
  const NetworkSource source = readSource(config);
  NetworkTextOptions options{config.whole("batch", 1, kMaxBatch),
                             config.wholes("input", 1, 1U << 24U),
                             readWord(config, "type", kNumberWords, ElementType::Float),
                             training ? NetworkMode::Training : NetworkMode::Inference};
  TextNetwork network;
  try {
    network = readNetworkText(source.text, options);
  } catch (const StatementError& mistake) {
    throw source.error(config, mistake);
  }
  if (!training) return {std::move(network.graph), network.result};
  const NetworkTensorId loss = addLoss(*training, network);
  addUpdates(network.graph, addBackward(network.graph, loss), training->optimiser);
  return {std::move(network.graph), loss};
}

/// A network on tiles, and which of its tensors the host writes and reads.
class NetworkOnTiles {
 public:
  NetworkOnTiles(ReadNetwork network, Graph& graph, const Architecture& machine, Program& program)
      : network_(std::move(network.graph)), result_(network.result) {
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
    const TensorValues& result = all[indexOf(result_)];
    Expected expected(std::vector<TensorValues>{result});
    expected.slack.emplace_back(result.size(), 0);
    expected.scales.push_back(largestOf(result));
    for (const auto& [source, updated] : updates_) {
      addUpdate(all[indexOf(source)], all[indexOf(updated)], expected);
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
    for (const TensorRole role : {TensorRole::Input, TensorRole::Parameter, TensorRole::State}) {
      for (const NetworkTensorId source : network_.tensorsOf(role)) {
        if (tensors_[indexOf(source)]) found.push_back(source);
      }
    }
    return found;
  }

  [[nodiscard]] HostTensor hostTensor(NetworkTensorId source) const {
    return {network_[source].name, *tensors_[indexOf(source)], valuesBelow(source),
            positiveValues(source)};
  }

  /// Values for a source that a node wants without negative ones. None for others.
  [[nodiscard]] TensorValues positiveValues(NetworkTensorId source) const {
    const auto is_reader = [source](const NetworkNode& node) {
      for (std::size_t o = 0; o < node.operands.size(); ++o) {
        if (node.operands[o] == source && node.operation->isNeverNegative(o)) return true;
      }
      return false;
    };
    const auto& nodes = network_.nodes();
    if (std::none_of(nodes.begin(), nodes.end(), is_reader)) return {};
    constexpr std::uint64_t kDifferent = 7;
    TensorValues values(elementsOf(network_.shapeOf(source)));
    for (std::size_t e = 0; e < values.size(); ++e) {
      values[e] = static_cast<double>(1 + e % kDifferent) / kDifferent;
    }
    return values;
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

  static void addUpdate(const TensorValues& before, const TensorValues& after, Expected& expected) {
    TensorValues slack;
    double change = 0;
    for (std::size_t e = 0; e < after.size(); ++e) {
      slack.push_back(kRoundingOfUpdate * std::max(std::abs(before[e]), std::abs(after[e])));
      change = std::max(change, std::abs(after[e] - before[e]));
    }
    expected.values.push_back(after);
    expected.slack.push_back(std::move(slack));
    expected.scales.push_back(change);
  }

  NetworkGraph network_;
  NetworkTensorId result_;
  LoweredTensors tensors_;
  /// Parameters and states, each with the result that is written over it.
  std::vector<std::pair<NetworkTensorId, NetworkTensorId>> updates_;
};

}  // namespace

BuiltWorkload buildNetwork(const ConfigReader& config, const Architecture& machine) {
  const std::optional<Training> training = readTraining(config);
  ReadNetwork read = readGraph(config, training);
  const std::uint64_t steps = training ? training->steps : 1;
  BuiltWorkload built;
  Program step;
  std::shared_ptr<const NetworkOnTiles> network;
  try {
    network = std::make_shared<const NetworkOnTiles>(std::move(read), built.graph, machine, step);
  } catch (const NotLowered& missing) {
    throw ConfigError(config.place(config.has("file") ? "file" : "layers") + ": " + missing.what());
  }
  if (training) {
    built.program.add(repeat(steps, {std::move(step)}));
    built.training = TrainingSummary{steps, 1, 0};
  } else {
    built.program = std::move(step);
  }
  built.flops = network->flops() * steps;
  built.model = network->model();
  built.host = [network] { return network->hostTensors(); };
  const bool is_half = config.peekText("type") == "half";
  built.reference = {
      [network](const std::vector<TensorValues>& inputs) { return network->expected(inputs); },
      is_half ? kHalfTolerance : kFloatTolerance, steps};
  return built;
}

}  // namespace ipusim::workloads
