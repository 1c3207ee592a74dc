// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/point_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/message.h"

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

/// The value of a constant of a preset, with its source or without; null where there is none.
Json valueIn(const Json& table, const std::string& key) {
  const auto found = table.find(key);
  if (found == table.end()) return nullptr;
  return found->is_object() ? found->value("value", Json()) : *found;
}

}  // namespace

PointKeys::PointKeys(const fs::path& run)
    : run_(run), config_(Json::parse(ConfigReader::fromFile(run).json())) {}

std::optional<ExpressionValue> PointKeys::valueAt(const std::vector<Override>& overrides,
                                                  const std::string& key) const {
  const Json value = find(overrides, key);
  if (value.is_null() || value.is_structured()) return std::nullopt;
  return expressionValue(value.dump());
}

ExpressionValue PointKeys::at(const std::vector<Override>& overrides,
                              const std::string& key) const {
  if (auto value = valueAt(overrides, key)) return *std::move(value);
  throw ConfigError("wanted keys of axes, of the run config or of the machine, found " +
                    inQuotes(key));
}

Json PointKeys::find(const std::vector<Override>& overrides, const std::string& key) const {
  Json machine = config_.value(kMachine, Json());
  for (const Override& override : overrides) {
    if (override.key == key) return Json::parse(override.value);
    if (override.key == kMachine) machine = Json::parse(override.value);
  }
  if (key == kTotalSram) {
    return factor(overrides, "machine.tiles") * factor(overrides, "machine.sram_per_tile_bytes");
  }
  if (beginsWith(key, kMachineKeys)) {
    return machineKey(machine, key.substr(kMachineKeys.size()), run_);
  }
  return atPath(config_, key);
}

/// Of the memory of all tiles.
double PointKeys::factor(const std::vector<Override>& overrides, const std::string& key) const {
  const Json value = find(overrides, key);
  if (value.is_number()) return value.get<double>();
  throw ConfigError(fmt::format("wanted a number as {}, which is part of {}, found {}", key,
                                kTotalSram,
                                value.is_null() ? "none" : oneLine(value.dump(), kQuotedLength)));
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
    Json value = valueIn(table, key);
    if (value.is_null()) value = includedKey(table, key, file);
    if (!value.is_null()) return value;
    table = table.value("base", Json());
  }
  return nullptr;
}

/// In the file that the preset includes, which itself includes none.
Json PointKeys::includedKey(const Json& table, const std::string& key, const fs::path& file) const {
  const auto include = table.find("include");
  if (include == table.end() || !include->is_string()) return nullptr;
  return valueIn(preset(findConfigFile(include->get<std::string>(), file)), key);
}

const Json& PointKeys::preset(const fs::path& file) const {
  auto found = presets_.find(file);
  if (found == presets_.end()) {
    found = presets_.emplace(file, Json::parse(ConfigReader::fromFile(file).json())).first;
  }
  return found->second;
}

}  // namespace ipusim::explore
