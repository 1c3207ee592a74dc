// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/place.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "models/ipu/system/machine_reader.h"

namespace ipusim::parallel {

namespace {

bool isIn(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// What a config, or the file of a preset, is based on: the text at `key`, or `base` of its table.
std::optional<std::string> baseOf(const ConfigReader& config, const char* key) {
  return config.isTable(key) ? config.table(key).peekText("base") : config.peekText(key);
}

/// Whether the name is that of a system, or of a file that is one or is based on one.
bool isSystem(const std::string& name, const ConfigReader& from, int depth = 0) {
  constexpr int kMostDepth = 32;  // a chain that comes back to itself is an error of its reader
  if (isIn(name, podNames())) return true;
  if (isIn(name, presetNames()) || depth == kMostDepth) return false;
  if (name.find('/') == std::string::npos && name.find(".toml") == std::string::npos) return false;
  const auto file = ConfigReader::fromFile(findConfigFile(name, from.file()));
  const std::optional<std::string> base = file.peekText("base");
  return file.has("ipu") || (base && isSystem(*base, file, depth + 1));
}

}  // namespace

Place readPlace(const ConfigReader& config) {
  const std::optional<std::string> name = baseOf(config, "machine");
  const bool has_ipu = config.isTable("machine") && config.table("machine").has("ipu");
  if (has_ipu || (name && isSystem(*name, config))) return readPod(config, "machine");
  const bool is_name =
      name && name->find('/') == std::string::npos && name->find(".toml") == std::string::npos;
  if (is_name && !isIn(*name, presetNames())) {
    throw config.error(config.isTable("machine") ? "machine.base" : "machine",
                       fmt::format("a system ({}), a machine ({}) or a path",
                                   fmt::join(podNames(), ", "), fmt::join(presetNames(), ", ")));
  }
  return readMachine(config);
}

std::uint32_t devicesOf(const Place& place) {
  if (const auto* pod = std::get_if<Pod>(&place)) return pod->ipus;
  return std::get<Machine>(place).tiles;
}

const std::string& nameOf(const Place& place) {
  if (const auto* pod = std::get_if<Pod>(&place)) return pod->name;
  return std::get<Machine>(place).name;
}

}  // namespace ipusim::parallel
