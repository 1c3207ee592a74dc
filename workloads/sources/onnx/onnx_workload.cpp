// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/onnx/onnx_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/config/words.h"
#include "base/error_boundary.h"
#include "base/text/message.h"
#include "models/ipu/machine/element_words.h"
#include "workloads/networks/graph/counts.h"
#include "workloads/sources/network_program.h"
#include "workloads/sources/onnx/onnx_import.h"
#include "workloads/sources/onnx/onnx_model.h"

namespace ipusim::workloads {

namespace {

constexpr std::uint64_t kMaxDimension = 1U << 24U;

/// Whether unknown operators are skipped.
constexpr Words<bool, 2> kOnUnknown{{{false, "error"}, {true, "skip"}}};

constexpr Words<FrontEnd, 2> kFrontEnds{{
    {FrontEnd::Onnx, "poprt"},
    {FrontEnd::PyTorch, "poptorch"},
}};

FrontEnd frontEndOf(const ConfigReader& config) {
  return readWord(config, "front_end", kFrontEnds, FrontEnd::Onnx);
}

std::uint64_t batchOf(const ConfigReader& config) {
  return config.whole("batch", 1, kMaxDimension, 1);
}

OnnxOptions readOptions(const ConfigReader& config) {
  OnnxOptions options;
  options.batch = batchOf(config);
  if (config.has("dimensions")) {
    const ConfigReader dimensions = config.table("dimensions");
    for (const std::string& name : dimensions.keys()) {
      options.dimensions.emplace(name, dimensions.whole(name, 1, kMaxDimension));
    }
  }
  options.skips_unknown = readWord(config, "on_unknown", kOnUnknown, false);
  if (config.has("type")) options.real_type = readWord(config, "type", kNumberWords);
  return options;
}

/// Calls `use` with the training and the network of the model of a config.
template <typename Use>
auto withModel(const ConfigReader& config, const Use& use) {
  const std::optional<NetworkTraining> training = readNetworkTraining(config);
  OnnxOptions options = readOptions(config);
  options.is_training = training.has_value();
  const std::filesystem::path file = config.path("file");
  const OnnxModel model = readOnnxModel(file);
  const auto import = [&] {
    OnnxNetwork network = importOnnx(model, options);
    if (config.has("batch") && !network.takes_batch) {
      throw config.error("batch", fmt::format("no batch beside a file whose inputs have all their "
                                              "sizes, the first one {}",
                                              network.samples));
    }
    return use(training, std::move(network));
  };
  return translateErrors<OnnxError>(import, [&](const OnnxError& error) {
    return ConfigError(oneLine(file.string()) + ": " + error.what());
  });
}

/// "input x (1, 3, 224, 224) float"
std::string inputLine(const NetworkTensor& input) {
  return fmt::format("input {} {} {}", input.name, textOf(input.type.shape),
                     nameOf(input.type.type));
}

/// How often each of `counts` stands, the most frequent first.
std::string countsLine(std::vector<std::pair<std::string, std::size_t>> counts) {
  std::stable_sort(counts.begin(), counts.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string line;
  for (const auto& [name, count] : counts) {
    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", name, count);
  }
  return line;
}

std::vector<std::string> previewLines(const OnnxNetwork& network) {
  std::vector<std::string> lines;
  for (const NetworkTensorId input : network.graph.tensorsOf(TensorRole::Input)) {
    lines.push_back(inputLine(network.graph[input]));
  }
  lines.push_back(fmt::format("{} parameters, {} operations forward on {} sample{}",
                              parameterCount(network.graph),
                              flopsOf(network.graph, NetworkPass::Forward).value(), network.samples,
                              network.samples == 1 ? "" : "s"));
  std::vector<std::pair<std::string, std::size_t>> run;
  std::vector<std::pair<std::string, std::size_t>> computed;
  for (const auto& [name, count] : network.operators) {
    if (count.run > 0) run.emplace_back(name, count.run);
    if (count.computed > 0) computed.emplace_back(name, count.computed);
  }
  lines.push_back("run: " + countsLine(run));
  if (!computed.empty()) lines.push_back("computed from the file: " + countsLine(computed));
  return lines;
}

}  // namespace

std::vector<std::string> previewOnnx(const ConfigReader& config) {
  return withModel(config, [](const std::optional<NetworkTraining>& /*training*/,
                              const OnnxNetwork& network) { return previewLines(network); });
}

BuiltWorkload buildOnnx(const ConfigReader& config, const Architecture& machine) {
  return withModel(config, [&](const std::optional<NetworkTraining>& training,
                               OnnxNetwork network) {
    BuiltWorkload built = buildNetworkProgram(
        config, "file", {std::move(network.graph), network.results, frontEndOf(config)},
        {training, network.samples}, machine);
    built.warnings.insert(built.warnings.end(), network.warnings.begin(), network.warnings.end());
    return built;
  });
}

LeastSize leastOnnx(const ConfigReader& config, const System& system) {
  return withModel(
      config, [&](const std::optional<NetworkTraining>& training, OnnxNetwork network) {
        return leastNetworkProgram(config, "file",
                                   {std::move(network.graph), network.results, frontEndOf(config)},
                                   training, system.allTiles());
      });
}

TrainedNetworkPointer readOnnxNetwork(const ConfigReader& config) {
  return withModel(config, [&](const std::optional<NetworkTraining>& training,
                               OnnxNetwork network) {
    // What several chips answer has no place for a warning.
    if (!network.warnings.empty()) {
      throw config.error("on_unknown",
                         "error: several chips take no network with unknown operators");
    }
    return readTrainedNetwork(
        config, "file", {std::move(network.graph), network.results, frontEndOf(config)}, training);
  });
}

}  // namespace ipusim::workloads
