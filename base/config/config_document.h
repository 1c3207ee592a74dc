// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/config_reader.h"
#include "base/config/key_request.h"
#include "base/text/json.h"

// Private to base: no other header shows the TOML library.

namespace ipusim {

/// The keys from the root down to a node. A path is a list, because a quoted key may hold dots.
using ConfigPath = std::vector<std::string>;

/// The path as text, for a message or after --set.
std::string dotted(const ConfigPath& path);

/// True when `path` lies at `top` or below it.
bool isWithin(const ConfigPath& path, const ConfigPath& top);

/// Parses TOML; `name` stands for the file in messages. Throws ConfigError of one line.
toml::table parseToml(std::string_view text, const std::string& name);

/// What a search for a config file found, and where it looked.
struct FileSearch {
  std::optional<std::filesystem::path> file;
  std::vector<std::string> tried;
};
/// The places where listConfigFiles looks.
std::vector<std::string> placesOf(const std::string& folder);
FileSearch searchConfigFile(const std::string& path, const std::filesystem::path& beside);

/// A node as messages show it: `"text"`, `-1`, `1e+30`, `a table`.
std::string describe(const toml::node* node);

/// The shortest text that reads back as the equal value, and that shows it is a real number.
std::string realText(double value);

/// The text of a date or of a time of day.
std::string dateText(const toml::node& node);

/// The node as JSON. Numbers that JSON lacks become text.
SortedJson valuesOf(const toml::node& node);

/// A parsed file with its overrides. It remembers which keys were asked for.
class ConfigDocument {
 public:
  ConfigDocument(toml::table root, std::string name, std::filesystem::path file);

  /// The document as if nobody had asked for a key of it yet.
  [[nodiscard]] std::shared_ptr<ConfigDocument> unread() const;

  /// Sets one key. Makes missing tables on the way; a text on the way becomes {base = text}.
  void apply(const Override& override);

  [[nodiscard]] const toml::node* find(const ConfigPath& path) const;
  /// `file:line` of the node. A missing node has the line of the nearest table above it; a node
  /// that an override set has `--set key`.
  [[nodiscard]] std::string where(const ConfigPath& path) const;
  /// The beginning of an error at the key: `file:line: key`, or `--set key`.
  [[nodiscard]] std::string place(const ConfigPath& path) const;
  [[nodiscard]] ConfigError error(const ConfigPath& path, const std::string& wanted,
                                  const std::string& found) const;
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

  /// The keys that were asked for in each table, whether present or not, and how.
  std::map<ConfigPath, std::map<std::string, KeyRequest>> asked;
  /// The keys that were read in each table.
  std::map<ConfigPath, std::set<std::string>> read;

 private:
  /// The table at the first `depth` keys of `path`; `parent` is the table above it.
  toml::table& tableForOverride(const ConfigPath& path, std::size_t depth, toml::table& parent);
  /// A new value at `path` replaces whatever earlier overrides set there.
  void forgetBelow(const ConfigPath& path);

  [[nodiscard]] const toml::table& root() const { return changed_ ? *changed_ : *parsed_; }
  /// The line of the node in the file; 0 for what the file does not have.
  [[nodiscard]] toml::source_index lineOf(const ConfigPath& path) const;

  // Copies of nodes lack their lines, so that a document with overrides keeps the file's nodes too.
  std::shared_ptr<const toml::table> parsed_;
  std::optional<toml::table> changed_;  // with overrides, once there are any
  std::string name_;
  std::filesystem::path file_;
  std::set<ConfigPath> overridden_;
  // Texts that became {base = text}, with their lines.
  std::map<ConfigPath, toml::source_index> wrapped_;
};

}  // namespace ipusim
