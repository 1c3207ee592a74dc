// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/config_reader.h"

namespace ipusim {

/// The name that a preset has now, for one that had another name in an earlier version; else
/// `name`.
std::string presentName(const std::string& name);

/// The presets of one kind: TOML files in a folder of the working directory and of homeFolder().
/// The name of a preset is the stem of its file. A text with a slash, or one that ends in .toml, is
/// a path instead of a name.
class PresetFolder {
 public:
  explicit PresetFolder(std::string folder) : folder_(std::move(folder)) {}

  /// The names, sorted. Throws ConfigError, which says where it looked, when there are none.
  [[nodiscard]] std::vector<std::string> names() const;

  /// Reads the preset that `key` names. Throws ConfigError at the key.
  [[nodiscard]] ConfigReader readAt(const ConfigReader& config, std::string_view key) const;
  /// Reads the preset that a text outside any config names; `kind` stands for the key in messages.
  [[nodiscard]] ConfigReader read(const std::string& name_or_path, const char* kind) const;

 private:
  [[nodiscard]] std::vector<std::string> known() const;
  /// The file of the preset of that name; empty when there is none.
  [[nodiscard]] std::filesystem::path file(const std::string& name) const;
  [[nodiscard]] std::string wanted(const std::string& found) const;

  std::string folder_;
};

}  // namespace ipusim
