// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "models/ipu/system/machine_reader.h"
#include "models/ipu/system/pod.h"

namespace ipusim {

namespace {

/// No chain of presets is longer. One that comes back to itself is left to the reader, which says
/// so.
constexpr int kLongestChain = 64;

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool isPath(const std::string& reference) {
  return reference.find('/') != std::string::npos ||
         std::filesystem::path(reference).extension() == ".toml";
}

bool isPod(const ConfigReader& table, int depth);

/// Whether the text at `key` names a system.
bool namesPod(const ConfigReader& config, const std::string& key, int depth) {
  const std::optional<std::string> name = config.peekText(key);
  if (!name || depth > kLongestChain) return false;
  if (isPath(*name)) return isPod(ConfigReader::fromFile(config.path(key)), depth + 1);
  return !contains(presetNames(), *name) && contains(podNames(), *name);
}

/// Whether a table or a preset is that of a system: it has a key `ipu`, or is based on one that
/// has. Looks at keys without reading them: if it is none, they are those of a machine.
bool isPod(const ConfigReader& table, int depth) {
  return contains(table.keys(), "ipu") || namesPod(table, "base", depth);
}

}  // namespace

Machine flatMachine(const Pod& pod) {
  Machine machine = pod.ipu;
  if (pod.ipus == 1) return machine;
  machine.name = pod.name;
  machine.tiles *= pod.ipus;
  return machine;
}

Pod readMachineOrPod(const ConfigReader& config, std::string_view key) {
  const bool is_pod =
      config.isTable(key) ? isPod(config.table(key), 0) : namesPod(config, std::string(key), 0);
  if (is_pod) return readPod(config, key);
  Pod pod{};
  pod.ipu = readMachine(config, key);
  pod.name = pod.ipu.name;
  pod.ipus = 1;
  pod.rack_ipus = 1;
  return pod;
}

}  // namespace ipusim
