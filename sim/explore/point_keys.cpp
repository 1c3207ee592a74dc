// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/point_keys.h"

#include <algorithm>

#include "sim/base/message.h"

namespace ipusim::explore {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

const std::string kMachine = "machine";
const std::string kMachineKeys = "machine.";
const std::string kTotalSram = "machine.total_sram_bytes";
constexpr int kLongestChain = 16;  // of presets that are based on another one

bool beginsWith(const std::string& text, const std::string& begin) {
  return text.compare(0, begin.size(), begin) == 0;
}

/// Null where there is none.
Json atPath(const Json& config, const std::string& dotted) {
  const Json* node = &config;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = std::min(dotted.find('.', begin), dotted.size());
    const auto found =
        node->is_object() ? node->find(dotted.substr(begin, end - begin)) : node->end();
    if (found == node->end()) return nullptr;
    node = &*found;
    if (end == dotted.size()) return *node;
    begin = end + 1;
  }
}

fs::path presetFile(const std::string& name, const fs::path& beside) {
  const bool is_path = name.find('/') != std::string::npos || fs::path(name).has_extension();
  return findConfigFile(is_path ? name : "configs/machines/" + name + ".toml", beside);
}

}  // namespace

PointKeys::PointKeys(const fs::path& run)
    : run_(run), config_(Json::parse(ConfigReader::fromFile(run).json())) {}

ExpressionValue PointKeys::at(const std::vector<Override>& overrides,
                              const std::string& key) const {
  const Json value = find(overrides, key);
  if (value.is_null() || value.is_structured()) {
    throw ConfigError("wanted keys of axes, of the run config or of the machine, found " +
                      inQuotes(key));
  }
  return expressionValue(value.dump());
}

Json PointKeys::find(const std::vector<Override>& overrides, const std::string& key) const {
  Json machine = config_.value(kMachine, Json());
  for (const Override& override : overrides) {
    if (override.key == key) return Json::parse(override.value);
    if (override.key == kMachine) machine = Json::parse(override.value);
  }
  if (key == kTotalSram) {
    const auto factor = [&](const char* of) { return std::get<double>(at(overrides, of)); };
    return factor("machine.tiles") * factor("machine.sram_per_tile_bytes");
  }
  if (beginsWith(key, kMachineKeys)) {
    return machineKey(machine, key.substr(kMachineKeys.size()), run_);
  }
  return atPath(config_, key);
}

Json PointKeys::machineKey(const Json& machine, const std::string& key,
                           const fs::path& beside) const {
  Json table = machine;
  fs::path file = beside;
  for (int links = 0; links < kLongestChain; ++links) {
    if (table.is_string()) {
      file = presetFile(table.get<std::string>(), file);
      table = preset(file);
    }
    if (!table.is_object()) return nullptr;
    const auto found = table.find(key);
    if (found != table.end()) return found->is_object() ? found->value("value", Json()) : *found;
    table = table.value("base", Json());
  }
  return nullptr;
}

const Json& PointKeys::preset(const fs::path& file) const {
  auto found = presets_.find(file);
  if (found == presets_.end()) {
    found = presets_.emplace(file, Json::parse(ConfigReader::fromFile(file).json())).first;
  }
  return found->second;
}

}  // namespace ipusim::explore
