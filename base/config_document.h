// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/config_reader.h"
#include "base/key_request.h"

// Private to base: the only header that shows the TOML library.

namespace ipusim {

/// The keys from the root down to a node. A quoted key may hold dots, hence no dotted string.
using ConfigPath = std::vector<std::string>;

/// The path as it stands in a message or after --set.
std::string dotted(const ConfigPath& path);

/// Whether `path` lies at `top` or below it.
bool isWithin(const ConfigPath& path, const ConfigPath& top);

/// Parses TOML; `name` stands for the file in messages. Throws ConfigError of one line.
toml::table parseToml(std::string_view text, const std::string& name);

/// Where findConfigFile looked, and what it found.
struct FileSearch {
  std::optional<std::filesystem::path> file;
  std::vector<std::string> tried;
};
/// Where listConfigFiles looks.
std::vector<std::string> placesOf(const std::string& folder);
FileSearch searchConfigFile(const std::string& path, const std::filesystem::path& beside);

/// What a message says was found: `"text"`, `-1`, `1e+30`, `a table`.
std::string describe(const toml::node* node);

/// Compact JSON. Real numbers keep their shortest exact form; those JSON lacks become text.
std::string toJson(const toml::node& node);

/// A parsed file with its overrides, and the memory of which keys were asked for.
class ConfigDocument {
 public:
  ConfigDocument(toml::table root, std::string name, std::filesystem::path file);

  /// Sets one key. Tables on the way are made; a text on the way becomes {base = text}.
  void apply(const Override& override);

  [[nodiscard]] const toml::node* find(const ConfigPath& path) const;
  /// `file:line` of the node, or of the nearest table above one that is not there; `--set key` for
  /// what an override gave.
  [[nodiscard]] std::string where(const ConfigPath& path) const;
  /// How an error at the key begins: `file:line: key`, or `--set key`.
  [[nodiscard]] std::string place(const ConfigPath& path) const;
  [[nodiscard]] ConfigError error(const ConfigPath& path, const std::string& wanted,
                                  const std::string& found) const;
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

  /// Keys asked for in a table, whether there or not, and how.
  std::map<ConfigPath, std::map<std::string, KeyRequest>> asked;
  /// Keys read in a table.
  std::map<ConfigPath, std::set<std::string>> read;

 private:
  /// The table at the first `depth` keys of `path`, whose parent is at hand.
  toml::table& tableForOverride(const ConfigPath& path, std::size_t depth, toml::table& parent);
  /// A new value at `path` replaces whatever earlier overrides said there.
  void forgetBelow(const ConfigPath& path);

  toml::table root_;
  std::string name_;
  std::filesystem::path file_;
  std::set<ConfigPath> overridden_;
  std::map<ConfigPath, toml::source_index> wrapped_;  // texts made {base = text}: their line
};

}  // namespace ipusim
