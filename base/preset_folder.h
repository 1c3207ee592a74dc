// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/config_reader.h"

namespace ipusim {

/// The presets of one kind: TOML files in a folder of the working directory and of homeFolder(),
/// named by their stems. A text with a slash, or one that ends in .toml, is a path instead.
class PresetFolder {
 public:
  explicit PresetFolder(std::string folder) : folder_(std::move(folder)) {}

  /// Sorted. Throws ConfigError, which says where they were sought, where there are none.
  [[nodiscard]] std::vector<std::string> names() const;

  /// What `key` names, read as TOML. Throws ConfigError at the key.
  [[nodiscard]] ConfigReader readAt(const ConfigReader& config, std::string_view key) const;
  /// What a text that is in no config names; `kind` stands for the key in messages.
  [[nodiscard]] ConfigReader read(const std::string& name_or_path, const char* kind) const;

 private:
  [[nodiscard]] std::vector<std::string> known() const;
  /// The file of a preset of that name, empty where there is none.
  [[nodiscard]] std::filesystem::path file(const std::string& name) const;
  [[nodiscard]] std::string wanted(const std::string& found) const;

  std::string folder_;
};

}  // namespace ipusim
