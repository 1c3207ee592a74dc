// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/commands/config_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/config/preset_folder.h"
#include "base/text/json.h"
#include "models/ipu/machine/machine_reader.h"
#include "sim/cli/commands/trace_file.h"

namespace ipusim::cli {

namespace {

bool endsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

Machine machineOfOption(const std::string& name_or_path) {
  return readPreset(PresetFolder("configs/machines").read(name_or_path, "--machine"));
}

bool isTrace(const std::string& file) {
  return endsWith(file, ".ipt") || endsWith(file, ".ipt.gz") || endsWith(file, ".ipt.zst");
}

bool isOnnx(const std::string& file) {
  return endsWith(file, ".onnx");
}

namespace {

ConfigReader configOfOnnx(const std::string& file, const std::vector<Override>& overrides) {
  const std::filesystem::path found = findConfigFile(file, {});
  const std::string text =
      fmt::format("workload = {{kind = \"onnx\", file = {}}}\nmachine = \"{}\"\n",
                  SortedJson(found.string()).dump(), kUsualMachine);
  return ConfigReader::fromText(text, found.string(), overrides);
}

}  // namespace

ConfigReader readRunConfig(const std::string& file, const std::vector<Override>& overrides,
                           const std::vector<Override>& limits) {
  if (isTrace(file)) return configOfTrace(file, overrides, limits);
  if (isOnnx(file)) return configOfOnnx(file, overrides);
  return ConfigReader::fromFile(findConfigFile(file, {}), overrides);
}

}  // namespace ipusim::cli
