// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/config_values.h"
#include "ipusim/error.h"

namespace ipusim {

class ConfigDocument;
struct AskedKey;
struct KeyRequest;

/// `dotted.key=value`: the value is a TOML value, or bare text when it is not valid TOML.
struct Override {
  std::string key;
  std::string value;
  /// Splits "key=value". Throws ConfigError, which names the text, when '=' or the key is missing.
  static Override parse(std::string_view text);
};

/// What Override::parse() makes of each text.
std::vector<Override> parseOverrides(const std::vector<std::string>& texts);

/// Looks for `path` beside the file `beside` (which may be empty), then in the working directory,
/// then in homeFolder(). Throws ConfigError, which names every place tried.
std::filesystem::path findConfigFile(const std::string& path, const std::filesystem::path& beside);

/// The files of `folder` with that extension, in the working directory and in homeFolder(), sorted
/// by name. Of two files with one name, the list has the first.
std::vector<std::filesystem::path> listConfigFiles(const std::string& folder,
                                                   const std::string& extension = ".toml");

/// The whole text of a file of at most 1 MiB. Throws ConfigError.
std::string readConfigText(const std::filesystem::path& path);

/// Reads a table of a TOML config strictly. Every getter marks its key as read. Each error is a
/// ConfigError of one line: `file:line: key: wanted WANTED, found FOUND`. An override shows as
/// `--set key` in place of the line. A reader is cheap to copy: copies share the parsed file and
/// what they remember of it.
class ConfigReader {
 public:
  /// Parses `path` and applies the overrides in order; an override makes missing tables. Throws
  /// ConfigError for a directory, an unreadable file, a file over 1 MiB and invalid TOML.
  static ConfigReader fromFile(const std::filesystem::path& path,
                               const std::vector<Override>& overrides = {});
  /// Reads text in place of a file; `name` stands for the file in messages.
  static ConfigReader fromText(std::string_view text, const std::string& name,
                               const std::vector<Override>& overrides = {});

  /// This config with further overrides, as if nobody had read it yet.
  [[nodiscard]] ConfigReader with(const std::vector<Override>& overrides) const;

  [[nodiscard]] bool has(std::string_view key) const;
  /// True if `key` is present and is a table.
  [[nodiscard]] bool isTable(std::string_view key) const;

  /// The text at `key`, if there is one. The key does not count as read or asked for: code that
  /// describes a table may look at any key.
  [[nodiscard]] std::optional<std::string> peekText(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key, const std::string& otherwise) const;
  /// A text that must be one of `choices`; the error lists the choices and names the nearest.
  [[nodiscard]] std::string choice(std::string_view key,
                                   const std::vector<std::string>& choices) const;
  [[nodiscard]] std::string choice(std::string_view key, const std::vector<std::string>& choices,
                                   const std::string& otherwise) const;
  /// A whole number in [low, high], which may be written as a real one, such as 150e9.
  [[nodiscard]] std::uint64_t whole(std::string_view key, std::uint64_t low,
                                    std::uint64_t high) const;
  [[nodiscard]] std::uint64_t whole(std::string_view key, std::uint64_t low, std::uint64_t high,
                                    std::uint64_t otherwise) const;
  /// A finite number in [low, high]. A whole number counts as a real one.
  [[nodiscard]] double real(std::string_view key, double low, double high) const;
  [[nodiscard]] double real(std::string_view key, double low, double high, double otherwise) const;
  [[nodiscard]] bool flag(std::string_view key, bool otherwise) const;
  /// A non-empty array of whole numbers, each in [low, high].
  [[nodiscard]] std::vector<std::uint64_t> wholes(std::string_view key, std::uint64_t low,
                                                  std::uint64_t high) const;
  /// An array of texts, which may be empty.
  [[nodiscard]] std::vector<std::string> texts(std::string_view key,
                                               const std::vector<std::string>& otherwise) const;
  /// The file that a text names. findConfigFile looks for it beside this config.
  [[nodiscard]] std::filesystem::path path(std::string_view key) const;
  [[nodiscard]] ConfigReader table(std::string_view key) const;
  /// The keys of this table, in the order of the file.
  [[nodiscard]] std::vector<std::string> keys() const;

  /// A ConfigError at `key` for a rule that the caller checks: "file:line: key: wanted WANTED,
  /// found …".
  [[nodiscard]] ConfigError error(std::string_view key, const std::string& wanted) const;
  /// The beginning of every error at `key`: "file:line: key", or "--set key".
  [[nodiscard]] std::string place(std::string_view key) const;

  /// Throws for the first key of this table, or of a table below it, that nobody read. The message
  /// names the nearest key that was asked for, or lists all of them.
  void expectAllRead() const;

  /// Every key that was asked for so far in the whole config, whether present or not, sorted by
  /// name.
  [[nodiscard]] std::vector<AskedKey> askedKeys() const;

  /// The file of this config; empty for text.
  [[nodiscard]] std::filesystem::path file() const;
  /// The values of this table, with overrides applied.
  [[nodiscard]] ConfigValues values() const;

 private:
  ConfigReader(std::shared_ptr<ConfigDocument> document, std::vector<std::string> path);
  [[nodiscard]] std::vector<std::string> pathOf(std::string_view key) const;
  [[nodiscard]] bool isThere(std::string_view key, KeyRequest request) const;

  std::shared_ptr<ConfigDocument> document_;
  std::vector<std::string> path_;  // the keys from the root to this table
};

}  // namespace ipusim
