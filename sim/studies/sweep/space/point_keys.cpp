// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/space/point_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text/json.h"
#include "base/text/message.h"
#include "models/ipu/machine/machine_presets.h"

namespace ipusim::sweep {

namespace {

const std::string kMachine = "machine";
const std::string kMachineKeys = "machine.";
const std::string kTotalSram = "machine.total_sram_bytes";
const std::string kBase = "machine.base";

bool beginsWith(const std::string& text, const std::string& begin) {
  return text.compare(0, begin.size(), begin) == 0;
}

/// The value at a dotted path, or null when there is none.
SortedJson atPath(const SortedJson& config, const std::string& dotted) {
  const SortedJson* node = &config;
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

}  // namespace

PointKeys::PointKeys(const ConfigReader& run) : run_(run), config_(run.values()) {}

std::optional<ExpressionValue> PointKeys::valueAt(const std::vector<Override>& overrides,
                                                  const std::string& key) const {
  const SortedJson value = find(overrides, key);
  if (value.is_null() || value.is_structured()) return std::nullopt;
  return expressionValue(value.dump());
}

ExpressionValue PointKeys::at(const std::vector<Override>& overrides,
                              const std::string& key) const {
  if (auto value = valueAt(overrides, key)) return *std::move(value);
  throw ConfigError("wanted keys of axes, of the run config or of the machine, found " +
                    inQuotes(key));
}

SortedJson PointKeys::find(const std::vector<Override>& overrides, const std::string& key) const {
  for (const Override& override : overrides) {
    if (override.key == key) return SortedJson::parse(override.value);
  }
  if (key == kTotalSram) {
    return factor(overrides, "machine.tiles") * factor(overrides, "machine.sram_per_tile_bytes");
  }
  if (beginsWith(key, kMachineKeys)) return machineKey(overrides, key.substr(kMachineKeys.size()));
  return atPath(config_.json(), key);
}

/// A factor of the memory of all tiles.
double PointKeys::factor(const std::vector<Override>& overrides, const std::string& key) const {
  const SortedJson value = find(overrides, key);
  if (value.is_number()) return value.get<double>();
  throw ConfigError(fmt::format("wanted a number as {}, which is part of {}, found {}", key,
                                kTotalSram,
                                value.is_null() ? "none" : oneLine(value.dump(), kQuotedLength)));
}

SortedJson PointKeys::machineKey(const std::vector<Override>& overrides,
                                 const std::string& key) const {
  std::vector<Override> choice;  // overrides that choose the preset; few points have them
  std::string name = key;
  for (const Override& override : overrides) {
    if (override.key != kMachine && override.key != kBase) continue;
    choice.push_back(override);
    name += '\n' + override.key + '=' + override.value;
  }
  auto found = machine_keys_.find(name);
  if (found == machine_keys_.end()) {
    found = machine_keys_.emplace(std::move(name), presetKey(choice, key)).first;
  }
  return found->second;
}

/// The value of a key of the preset. Null when the run names no preset, or when no preset has the
/// key.
SortedJson PointKeys::presetKey(const std::vector<Override>& choice, const std::string& key) const {
  const ConfigReader config = run_.with(choice);
  if (!config.has(kMachine)) return nullptr;
  return machineChain(config).valueOf(key).value_or(SortedJson());
}

}  // namespace ipusim::sweep
