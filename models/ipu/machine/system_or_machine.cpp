// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/config/errors_at.h"
#include "base/config/preset_folder.h"
#include "base/text/message.h"
#include "models/ipu/machine/machine_reader.h"
#include "models/ipu/machine/system.h"
#include "models/ipu/machine/system_reader.h"

namespace ipusim {

namespace {

/// A longer chain of presets comes back to itself. Its reader says so.
constexpr int kLongestChain = 64;

/// Whether a folder of presets has one of that name.
bool hasPreset(const char* folder, const std::string& name) {
  const std::vector<std::filesystem::path> files = listConfigFiles(folder);
  const std::string present = presentName(name);
  return std::any_of(files.begin(), files.end(),
                     [&](const std::filesystem::path& file) { return file.stem() == present; });
}

bool isPath(const std::string& reference) {
  return reference.find('/') != std::string::npos ||
         std::filesystem::path(reference).extension() == ".toml";
}

bool isSystem(const ConfigReader& table, int depth);

/// Whether the text at `key` names a system.
bool isSystemAt(const ConfigReader& config, const std::string& key, int depth) {
  const std::optional<std::string> name = config.peekText(key);
  if (!name || depth > kLongestChain) return false;
  if (!isPath(*name)) {
    return !hasPreset("configs/machines", *name) && hasPreset("configs/systems", *name);
  }
  const std::filesystem::path file = config.path(key);
  return isSystem(withErrorsAt(config, key, [&] { return ConfigReader::fromFile(file); }),
                  depth + 1);
}

/// Whether a table or a preset is that of a system: it has a key `ipu`, or is based on one that
/// has. Looks at keys without reading them: if it is none, they are those of a machine.
bool isSystem(const ConfigReader& table, int depth) {
  const std::vector<std::string> keys = table.keys();
  return std::find(keys.begin(), keys.end(), "ipu") != keys.end() ||
         isSystemAt(table, "base", depth);
}

/// Throws for a name that is neither that of a system nor that of a machine. Where there are no
/// presets at all, the reader of machines says where it looked.
void expectKnown(const ConfigReader& config, const std::string& key) {
  const bool is_table = config.isTable(key);
  const auto name = is_table ? config.table(key).peekText("base") : config.peekText(key);
  if (!name || isPath(*name)) return;
  if (hasPreset("configs/machines", *name) || hasPreset("configs/systems", *name)) return;
  if (listConfigFiles("configs/systems").empty()) return;
  std::vector<std::string> names = systemNames();
  const std::vector<std::string> machines = presetNames();
  names.insert(names.end(), machines.begin(), machines.end());
  throw config.error(
      is_table ? key + ".base" : key,
      fmt::format("a system ({}), a machine ({}) or a path{}", fmt::join(systemNames(), ", "),
                  fmt::join(machines, ", "), didYouMean(*name, names)));
}

}  // namespace

bool namesSystem(const ConfigReader& config, std::string_view key) {
  const std::string name(key);
  expectKnown(config, name);
  return config.isTable(key) ? isSystem(config.table(key), 0) : isSystemAt(config, name, 0);
}

System readSystem(const ConfigReader& config, std::string_view key) {
  if (namesSystem(config, key)) return readSystemPreset(config, key);
  return readMachine(config, key);
}

}  // namespace ipusim
