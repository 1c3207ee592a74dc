// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/text/network_workload.h"

#include <fmt/format.h>

#include "base/error_boundary.h"
#include "models/ipu/machine/element_words.h"
#include "workloads/sources/named/parts/layer.h"
#include "workloads/sources/network_program.h"
#include "workloads/sources/text/network_text.h"

namespace ipusim::workloads {

namespace {

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

/// The keys of a network, and what they describe.
struct ReadNetwork {
  std::optional<NetworkTraining> training;
  std::string key;  ///< that has the text
  ForwardNetwork forward;
};

/// Calls `use` with the network of a config.
template <typename Use>
auto withNetwork(const ConfigReader& config, const Use& use) {
  const std::optional<NetworkTraining> training = readNetworkTraining(config);
  const NetworkSource source = readSource(config);
  const NetworkTextOptions options{config.whole("batch", 1, kMaxBatch),
                                   config.wholes("input", 1, 1U << 24U),
                                   readWord(config, "type", kNumberWords, ElementType::Float),
                                   training ? NetworkMode::Training : NetworkMode::Inference};
  const auto read = [&] {
    TextNetwork network = readNetworkText(source.text, options);
    return use(ReadNetwork{training, source.key, {std::move(network.graph), {network.result}}});
  };
  return translateErrors<StatementError>(
      read, [&](const StatementError& mistake) { return source.error(config, mistake); });
}

/// The pieces of all tensors that are joined from others. A tensor that is computed is one piece.
double joinedPieces(const NetworkGraph& network) {
  std::vector<double> pieces(network.tensors().size(), 1);
  double all = 0;
  for (const NetworkNode& node : network.nodes()) {
    if (!node.operation->isView() && node.operation->kind() != "concat") continue;
    double joined = 0;
    for (const NetworkTensorId operand : node.operands) joined += pieces[indexOf(operand)];
    for (const NetworkTensorId result : node.results) pieces[indexOf(result)] = joined;
    if (node.operands.size() > 1) all += joined;
  }
  return all;
}

}  // namespace

LeastSize leastNetwork(const ConfigReader& config, const System& system) {
  return withNetwork(config, [&](ReadNetwork network) {
    LeastSize least;
    least.view_pieces = joinedPieces(network.forward.graph);
    return least + leastNetworkProgram(config, network.key.c_str(), std::move(network.forward),
                                       network.training, system.allTiles());
  });
}

BuiltWorkload buildNetwork(const ConfigReader& config, const Architecture& machine) {
  return withNetwork(config, [&](ReadNetwork network) {
    return buildNetworkProgram(config, network.key.c_str(), std::move(network.forward),
                               {network.training, config.whole("batch", 1, kMaxBatch)}, machine);
  });
}

TrainedNetworkPointer readTextNetwork(const ConfigReader& config) {
  return withNetwork(config, [&](ReadNetwork network) {
    return readTrainedNetwork(config, network.key.c_str(), std::move(network.forward),
                              network.training);
  });
}

}  // namespace ipusim::workloads
