// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/network_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "models/ipu/machine/element_words.h"
#include "workloads/networks/cuts/cut_network.h"
#include "workloads/networks/gpu/gpu_network.h"
#include "workloads/networks/graph/counts.h"
#include "workloads/networks/graph/layer_networks.h"
#include "workloads/ops/matmul/plan.h"
#include "workloads/sources/layer_programs.h"
#include "workloads/sources/network_compression.h"
#include "workloads/sources/network_passes.h"
#include "workloads/sources/network_products.h"
#include "workloads/sources/network_summary.h"

namespace ipusim::workloads {

namespace {

constexpr std::uint64_t kNetworkProgramMaxSteps = 1U << 24U;

constexpr Words<LossWord, 3> kLosses{{
    {LossWord::CrossEntropy, "cross_entropy"},
    {LossWord::SquaredError, "squared_error"},
    {LossWord::Result, "result"},
}};

constexpr std::size_t kMostNamed = 3;

/// Some of `names` in a message.
std::string someOf(const std::vector<std::string>& names) {
  const std::size_t named = std::min(names.size(), kMostNamed);
  std::string text = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(named), ", "));
  if (names.size() > named) text += fmt::format(" and {} more", names.size() - named);
  return text;
}

/// Leaves out what the results do not depend on, and says so.
void removeDeadNodes(ForwardNetwork& network, std::vector<std::string>& warnings) {
  PrunedNetwork pruned = withoutDeadNodes(network.graph, network.results);
  network = {std::move(pruned.graph), std::move(pruned.results)};
  if (network.graph.nodes().empty())
    throw NotLowered("wanted a network with operations that compute, found none");
  if (pruned.dead.empty()) return;
  warnings.push_back(fmt::format("not in the program, for nothing reads what {} {}: {}",
                                 pruned.dead.size() == 1 ? "this node" : "these nodes",
                                 pruned.dead.size() == 1 ? "makes" : "make", someOf(pruned.dead)));
}

/// Training learns from the first result alone.
void keepLearntResult(ForwardNetwork& network, std::vector<std::string>& warnings) {
  if (network.results.size() == 1) return;
  std::vector<std::string> others;
  for (std::size_t r = 1; r < network.results.size(); ++r) {
    others.push_back(network.graph[network.results[r]].name);
  }
  network.results.resize(1);
  warnings.push_back(fmt::format("training learns from the result {} alone, and not from {}",
                                 network.graph[network.results.front()].name, someOf(others)));
}

/// A result that is the loss is one number.
void expectOneLoss(const NetworkTraining& training, const ForwardNetwork& network) {
  if (training.loss != LossWord::Result) return;
  const std::uint64_t elements = elementsOf(network.graph.shapeOf(network.results.front()));
  if (elements == 1) return;
  throw NotLowered(fmt::format(
      "wanted a result of one element, for train.loss = \"result\"; found one of {}", elements));
}

/// Whether a softmax makes the result that training learns from, before a loss that has one of its
/// own: the program then takes two, and learns worse than either network.
bool takesSoftmaxTwice(const NetworkTraining& training, const ForwardNetwork& network) {
  if (training.loss != LossWord::CrossEntropy) return false;
  const auto& nodes = network.graph.nodes();
  return std::any_of(nodes.begin(), nodes.end(), [&](const NetworkNode& node) {
    return node.operation->kind() == "softmax" && node.results.front() == network.results.front();
  });
}

constexpr const char* kTwoSoftmaxes =
    "the loss cross_entropy has a softmax of its own, and the network ends in one: the program "
    "takes both. Leave out the softmax of the network";

bool hasUpdates(const NetworkGraph& graph) {
  const auto& nodes = graph.nodes();
  return std::any_of(nodes.begin(), nodes.end(),
                     [](const NetworkNode& node) { return node.pass == NetworkPass::Update; });
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

/// Whether all layers are one program, or each is one.
enum class CompileWord : std::uint8_t { Whole, Separate };

constexpr Words<CompileWord, 2> kCompileWords{{
    {CompileWord::Whole, "whole"},
    {CompileWord::Separate, "separate"},
}};

/// A network with what a program of it has besides: with the layers that it is written in, and as
/// passes make it.
struct CompleteNetwork {
  ForwardNetwork written;
  ForwardNetwork compiled;
  std::vector<PassSummary> passes;  ///< that changed it
  bool outlines = false;
};

/// Leaves out what is not needed, and adds what a program of the network has besides.
CompleteNetwork completeNetwork(const ConfigReader& config, const char* key,
                                const std::optional<NetworkTraining>& training,
                                ForwardNetwork forward, std::vector<std::string>& warnings) {
  const ChosenPasses chosen = readPasses(config, forward.front_end, training.has_value());
  forward.graph.setProducts(readProductSettings(config));
  CompleteNetwork complete;
  complete.outlines = chosen.outlines;
  makeAt(config.place(key), [&] {
    if (training) keepLearntResult(forward, warnings);
    removeDeadNodes(forward, warnings);
    if (training) expectOneLoss(*training, forward);
    if (training && takesSoftmaxTwice(*training, forward)) warnings.emplace_back(kTwoSoftmaxes);
    applyPasses(chosen.recognising, forward, complete.passes);
    complete.written = std::move(forward);
    complete.compiled = complete.written;
    applyPasses(chosen.changing, complete.compiled, complete.passes);
    for (ForwardNetwork* const network : {&complete.written, &complete.compiled}) {
      if (training) addTraining(training->loss, training->optimiser, *network);
    }
  });
  if (training && !hasUpdates(complete.written.graph)) {
    throw config.error("train", "no train beside a network that has no parameters to learn");
  }
  return complete;
}

/// Makes a program of the steps of all layers.
void setWholeProgram(ForwardNetwork network, const NetworkRun& run, BuiltWorkload& built) {
  Program step = setNetwork(std::move(network.graph), network.results, run, built);
  if (built.training) {
    built.program.add(repeat(run.rounds, {std::move(step)}));
  } else {
    built.program = std::move(step);
  }
}

/// Makes a program of each layer. Layers that have no forward pass are such as sum gradients.
void setLayerPrograms(const ForwardNetwork& network, const std::string& place,
                      const Architecture& machine, BuiltWorkload& built) {
  std::vector<PlacedLayer> layers;
  std::vector<LayerSummary> summaries;
  for (LayerNetwork& layer : layerNetworks(network.graph, network.results)) {
    const auto known =
        std::find_if(built.layers.begin(), built.layers.end(),
                     [&](const LayerSummary& one) { return one.name == layer.name; });
    const std::string kind = layer.graph.nodes().front().operation->kind();
    summaries.push_back(known != built.layers.end() ? *known
                                                    : LayerSummary{layer.name, kind, 0, {}});
    layers.push_back({std::move(layer), place});
  }
  built.layers = std::move(summaries);
  setSeparatePrograms(std::move(layers), machine, built);
}

/// Puts codes on what the forward pass saves. What the workload says of work, layers and the GPU is
/// that of the network without codes.
void addCodes(const ConfigReader& config, const NetworkCompression& compression,
              CompileWord compile, ForwardNetwork& forward, BuiltWorkload& built) {
  if (compile == CompileWord::Separate) {
    throw config.error("compress",
                       "no compress beside compile = \"separate\", for a program of one layer "
                       "keeps nothing from a forward to a backward pass of others");
  }
  makeAt(config.place("compress"), [&] {
    CompressedNetwork compressed = compress(compression, forward.graph);
    forward.graph = std::move(compressed.graph);
    built.compression = std::move(compressed.summary);
    if (auto warning = missedTarget(built.compression->saved_after, compression.choice)) {
      built.warnings.push_back(*std::move(warning));
    }
  });
}

/// Lets passes change a network that several chips train, and adds its loss.
void setForward(const ConfigReader& config, const char* key, const NetworkTraining& training,
                ForwardNetwork forward, NetworkToTrain& to_train) {
  const ChosenPasses chosen = readPasses(config, forward.front_end, true);
  forward.graph.setProducts(readProductSettings(config));
  makeAt(config.place(key), [&] {
    PrunedNetwork pruned = withoutDeadNodes(forward.graph, forward.results);
    forward.graph = std::move(pruned.graph);
    forward.results = std::move(pruned.results);
    std::vector<PassSummary> ran;
    applyPasses(chosen.recognising, forward, ran);
    applyPasses(chosen.changing, forward, ran);
    for (const PassSummary& pass : ran) to_train.passes.emplace(pass.name, pass.times);
    NetworkGraph& graph = to_train.forward;
    graph = withoutDeadNodes(forward.graph, {addLoss(training.loss, forward)}).graph;
    if (parameterCount(graph) == 0) {
      throw OperandError("parameters to learn", "a network without any");
    }
    to_train.batch = graph.shapeOf(graph.tensorsOf(TensorRole::Input).front()).front();
  });
}

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
  training.steps = train.whole("steps", 1, kNetworkProgramMaxSteps, 1);
  expectUsed(train, training.optimiser.rule);
  return training;
}

ProductSettings readProductSettings(const ConfigReader& config) {
  ProductSettings products;
  if (config.has("partials_type")) {
    products.partials = readWord(config, "partials_type", kNumberWords);
  }
  if (config.has("available_memory_proportion")) {
    products.memory_proportion =
        config.real("available_memory_proportion", 0, kMaxMemoryProportion);
  }
  return products;
}

TrainedNetworkPointer readTrainedNetwork(const ConfigReader& config, const char* key,
                                         ForwardNetwork forward,
                                         const std::optional<NetworkTraining>& training) {
  if (!training) {
    throw config.error("train", "a table train: a network is put on several IPUs to be trained");
  }
  if (config.has("compile")) throw config.error("compile", "no compile beside [parallel]");
  std::optional<ActivationCodes> codes;
  if (const auto compression = readNetworkCompression(config)) {
    codes = ActivationCodes{compression->codec, compression->choice};
  }
  // What several chips answer has no place for a warning.
  if (forward.results.size() > 1) {
    throw config.error(key, fmt::format("a network of one result, which training learns from, and "
                                        "not of {}",
                                        forward.results.size()));
  }
  if (takesSoftmaxTwice(*training, forward)) {
    throw config.error(key,
                       std::string("a network without a softmax at its end: ") + kTwoSoftmaxes);
  }
  NetworkToTrain to_train{{}, training->optimiser, 0, codes};
  setForward(config, key, *training, std::move(forward), to_train);
  TrainedNetworkPointer network;
  makeAt(config.place(codes ? "compress" : key),
         [&] { network = trainedNetwork(std::move(to_train)); });
  return network;
}

BuiltWorkload buildNetworkProgram(const ConfigReader& config, const char* key,
                                  ForwardNetwork forward, const NetworkSteps& network,
                                  const Architecture& machine) {
  const std::optional<NetworkTraining>& training = network.training;
  const auto compile = readWord(config, "compile", kCompileWords, CompileWord::Whole);
  const std::optional<NetworkCompression> compression = readNetworkCompression(config);
  const std::string place = config.place(key);
  BuiltWorkload built;
  CompleteNetwork complete =
      completeNetwork(config, key, training, std::move(forward), built.warnings);
  const ForwardNetwork& written = complete.written;
  built.passes = std::move(complete.passes);
  const std::uint64_t steps = training ? training->steps : 1;
  if (training) built.training = TrainingSummary{steps, 1, 0};
  built.samples = network.batch * steps;
  built.flops = workOf(written.graph) * steps;
  built.model = modelOf(written.graph);
  built.layers = layerSummaries(written.graph);
  built.gpu = gpuNetwork(written.graph, written.results);
  for (gpu::Operator& one : built.gpu->operators) one.times = steps;
  ForwardNetwork& compiled = complete.compiled;
  if (compression) addCodes(config, *compression, compile, compiled, built);
  if (compile == CompileWord::Separate) {
    built.rounds = steps;
    setLayerPrograms(compiled, place, machine, built);
  } else {
    NetworkRun run{machine, place, steps};
    run.outlines = complete.outlines;
    makeAt(place, [&] { setWholeProgram(std::move(compiled), run, built); });
  }
  return built;
}

LeastSize leastNetworkProgram(const ConfigReader& config, const char* key, ForwardNetwork forward,
                              const std::optional<NetworkTraining>& training,
                              const Architecture& machine) {
  std::vector<std::string> unread;
  const CompleteNetwork complete =
      completeNetwork(config, key, training, std::move(forward), unread);
  const std::vector<LeastSize> products = leastProducts(machine, complete.compiled.graph);
  // Layers that are programs of their own are in memory one at a time.
  const auto compile = readWord(config, "compile", kCompileWords, CompileWord::Whole);
  return compile == CompileWord::Separate ? largestSize(products) : allSizes(products);
}

}  // namespace ipusim::workloads
