// SPDX-License-Identifier: Apache-2.0
#include "base/config/preset_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/config/config_document.h"
#include "base/config/errors_at.h"
#include "base/text/message.h"

namespace ipusim {

namespace fs = std::filesystem;

namespace {

bool isPath(const std::string& reference) {
  return reference.find('/') != std::string::npos || fs::path(reference).extension() == ".toml";
}

}  // namespace

std::string presentName(const std::string& name) {
  return name == "gc200-sdk" ? "gc200-624k" : name;
}

std::vector<std::string> PresetFolder::known() const {
  std::vector<std::string> names;
  for (const fs::path& file : listConfigFiles(folder_)) names.push_back(file.stem().string());
  return names;
}

std::vector<std::string> PresetFolder::names() const {
  std::vector<std::string> names = known();
  if (!names.empty()) return names;
  throw ConfigError(fmt::format("{}: wanted presets, found none in {}", folder_,
                                fmt::join(placesOf(folder_), ", ")));
}

fs::path PresetFolder::file(const std::string& name) const {
  const std::string present = presentName(name);
  for (const fs::path& file : listConfigFiles(folder_)) {
    if (file.stem() == present) return file;
  }
  return {};
}

std::string PresetFolder::wanted(const std::string& found) const {
  const std::vector<std::string> names = known();
  if (names.empty()) {
    return fmt::format("a path (there are no presets: none in {})",
                       fmt::join(placesOf(folder_), ", "));
  }
  return fmt::format("one of {}, or a path{}", fmt::join(names, ", "), didYouMean(found, names));
}

ConfigReader PresetFolder::readAt(const ConfigReader& config, std::string_view key) const {
  if (!config.has(key)) throw config.error(key, wanted({}));
  const std::string reference = config.text(key);
  const fs::path found = isPath(reference) ? config.path(key) : file(reference);
  if (found.empty()) throw config.error(key, wanted(reference));
  return withErrorsAt(config, key, [&] { return ConfigReader::fromFile(found); });
}

ConfigReader PresetFolder::read(const std::string& name_or_path, const char* kind) const {
  if (isPath(name_or_path)) return ConfigReader::fromFile(findConfigFile(name_or_path, {}));
  const fs::path found = file(name_or_path);
  if (!found.empty()) return ConfigReader::fromFile(found);
  throw ConfigError(
      fmt::format("{}: wanted {}, found {}", kind, wanted(name_or_path), inQuotes(name_or_path)));
}

}  // namespace ipusim
