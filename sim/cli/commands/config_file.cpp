// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/commands/config_file.h"

#include "base/config/preset_folder.h"
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

ConfigReader readRunConfig(const std::string& file, const std::vector<Override>& overrides,
                           const std::vector<Override>& limits) {
  if (isTrace(file)) return configOfTrace(file, overrides, limits);
  return ConfigReader::fromFile(findConfigFile(file, {}), overrides);
}

}  // namespace ipusim::cli
