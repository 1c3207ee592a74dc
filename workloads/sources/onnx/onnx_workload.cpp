// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/onnx/onnx_workload.h"

#include "base/message.h"
#include "workloads/sources/network_program.h"
#include "workloads/sources/onnx/onnx_import.h"
#include "workloads/sources/onnx/onnx_model.h"

namespace ipusim::workloads {

namespace {

constexpr std::uint64_t kMaxDimension = 1U << 24U;

OnnxOptions readOptions(const ConfigReader& config) {
  OnnxOptions options;
  options.batch = config.whole("batch", 1, kMaxDimension, 1);
  if (config.has("dimensions")) {
    const ConfigReader dimensions = config.table("dimensions");
    for (const std::string& name : dimensions.keys()) {
      options.dimensions.emplace(name, dimensions.whole(name, 1, kMaxDimension));
    }
  }
  return options;
}

/// Calls `use` with the training and the forward pass of the model of a config.
template <typename Use>
auto withModel(const ConfigReader& config, const Use& use) {
  const std::optional<NetworkTraining> training = readNetworkTraining(config);
  OnnxOptions options = readOptions(config);
  options.is_training = training.has_value();
  const std::filesystem::path file = config.path("file");
  const OnnxModel model = readOnnxModel(file);
  try {
    OnnxNetwork network = importOnnx(model, options);
    return use(training, ForwardNetwork{std::move(network.graph), network.result});
  } catch (const OnnxError& error) {
    throw ConfigError(oneLine(file.string()) + ": " + error.what());
  }
}

}  // namespace

BuiltWorkload buildOnnx(const ConfigReader& config, const Architecture& machine) {
  return withModel(
      config, [&](const std::optional<NetworkTraining>& training, ForwardNetwork forward) {
        return buildNetworkProgram(config, "file", std::move(forward), training, machine);
      });
}

TrainedNetworkPointer readOnnxNetwork(const ConfigReader& config) {
  return withModel(config,
                   [&](const std::optional<NetworkTraining>& training, ForwardNetwork forward) {
                     return readTrainedNetwork(config, "file", std::move(forward), training);
                   });
}

}  // namespace ipusim::workloads
