// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/onnx/onnx_workload.h"

#include "base/message.h"
#include "base/words.h"
#include "workloads/sources/network_program.h"
#include "workloads/sources/onnx/onnx_import.h"
#include "workloads/sources/onnx/onnx_model.h"

namespace ipusim::workloads {

namespace {

constexpr std::uint64_t kMaxDimension = 1U << 24U;

/// Whether unknown operators are skipped.
constexpr Words<bool, 2> kOnUnknown{{{false, "error"}, {true, "skip"}}};

OnnxOptions readOptions(const ConfigReader& config) {
  OnnxOptions options;
  options.batch = config.whole("batch", 1, kMaxDimension, 1);
  if (config.has("dimensions")) {
    const ConfigReader dimensions = config.table("dimensions");
    for (const std::string& name : dimensions.keys()) {
      options.dimensions.emplace(name, dimensions.whole(name, 1, kMaxDimension));
    }
  }
  options.skips_unknown = readWord(config, "on_unknown", kOnUnknown, false);
  return options;
}

}  // namespace

BuiltWorkload buildOnnx(const ConfigReader& config, const Architecture& machine) {
  const std::optional<NetworkTraining> training = readNetworkTraining(config);
  OnnxOptions options = readOptions(config);
  options.is_training = training.has_value();
  const std::filesystem::path file = config.path("file");
  const OnnxModel model = readOnnxModel(file);
  try {
    OnnxNetwork network = importOnnx(model, options);
    BuiltWorkload built = buildNetworkProgram(
        config, "file", {std::move(network.graph), network.result}, training, machine);
    built.warnings = std::move(network.warnings);
    return built;
  } catch (const OnnxError& error) {
    throw ConfigError(oneLine(file.string()) + ": " + error.what());
  }
}

}  // namespace ipusim::workloads
