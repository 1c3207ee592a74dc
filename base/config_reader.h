// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ipusim/error.h"

namespace ipusim {

class ConfigDocument;
struct AskedKey;
struct KeyRequest;

/// `dotted.key=value`: value is a TOML value, or bare text where that is no TOML.
struct Override {
  std::string key;
  std::string value;
  /// Splits "key=value". Throws ConfigError naming the text when there is no '=' or no key.
  static Override parse(std::string_view text);
};

/// Looks for `path` beside `beside` (a file, may be empty), then in the working directory, then
/// in homeFolder(). Throws ConfigError naming every place tried.
std::filesystem::path findConfigFile(const std::string& path, const std::filesystem::path& beside);

/// The files of `folder` with that ending, in the working directory and in homeFolder(), sorted by
/// name; of two with one name, the first.
std::vector<std::filesystem::path> listConfigFiles(const std::string& folder,
                                                   const std::string& extension = ".toml");

/// The whole of a file of at most 1 MiB. Throws ConfigError.
std::string readConfigText(const std::filesystem::path& path);

/// A table of a TOML config being read, strictly. Every getter marks its key as read; each error is
/// a ConfigError of one line: `file:line: key: wanted WANTED, found FOUND`. Overrides show as
/// `--set key`. Cheap to copy; copies share the parsed file and the memory of what was read.
class ConfigReader {
 public:
  /// Parses `path` and applies the overrides in order (a missing table on the way is made).
  /// A directory, an unreadable or a too large (over 1 MiB) file, and bad TOML are ConfigErrors.
  static ConfigReader fromFile(const std::filesystem::path& path,
                               const std::vector<Override>& overrides = {});
  /// The same for text; `name` stands for the file in messages.
  static ConfigReader fromText(std::string_view text, const std::string& name,
                               const std::vector<Override>& overrides = {});

  [[nodiscard]] bool has(std::string_view key) const;
  /// True if `key` is there and is a table.
  [[nodiscard]] bool isTable(std::string_view key) const;

  /// The text at `key`, if there is one. It does not count as read or asked for: what describes a
  /// table that others read may look at any key.
  [[nodiscard]] std::optional<std::string> peekText(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key, const std::string& otherwise) const;
  /// A text that must be one of `choices`; the message lists them and names the nearest.
  [[nodiscard]] std::string choice(std::string_view key,
                                   const std::vector<std::string>& choices) const;
  [[nodiscard]] std::string choice(std::string_view key, const std::vector<std::string>& choices,
                                   const std::string& otherwise) const;
  /// A whole number in [low, high]. A real number, even 3.0, is ill-typed.
  [[nodiscard]] std::uint64_t whole(std::string_view key, std::uint64_t low,
                                    std::uint64_t high) const;
  [[nodiscard]] std::uint64_t whole(std::string_view key, std::uint64_t low, std::uint64_t high,
                                    std::uint64_t otherwise) const;
  /// A finite number in [low, high]; a whole number is taken as a real one.
  [[nodiscard]] double real(std::string_view key, double low, double high) const;
  [[nodiscard]] double real(std::string_view key, double low, double high, double otherwise) const;
  [[nodiscard]] bool flag(std::string_view key, bool otherwise) const;
  /// An array of whole numbers, each in [low, high], not empty.
  [[nodiscard]] std::vector<std::uint64_t> wholes(std::string_view key, std::uint64_t low,
                                                  std::uint64_t high) const;
  /// An array of texts, which may be empty.
  [[nodiscard]] std::vector<std::string> texts(std::string_view key,
                                               const std::vector<std::string>& otherwise) const;
  /// The file that a text names, found as by findConfigFile beside this one.
  [[nodiscard]] std::filesystem::path path(std::string_view key) const;
  [[nodiscard]] ConfigReader table(std::string_view key) const;
  /// The keys of this table, in the order of the file.
  [[nodiscard]] std::vector<std::string> keys() const;

  /// A ConfigError at `key` for a rule the caller knows: "file:line: key: wanted WANTED, found …".
  [[nodiscard]] ConfigError error(std::string_view key, const std::string& wanted) const;
  /// How each of them begins: "file:line: key", or "--set key".
  [[nodiscard]] std::string place(std::string_view key) const;

  /// Throws for the first key (of this table and the tables below) that nobody read; the message
  /// names the nearest of the keys that were asked for, or lists them all: many at its end.
  void expectAllRead() const;

  /// Every key that was asked for so far in the whole config, whether it is there or not, by name.
  [[nodiscard]] std::vector<AskedKey> askedKeys() const;

  /// The file this was read from, empty for text.
  [[nodiscard]] std::filesystem::path file() const;
  /// This table as compact JSON, overrides applied.
  [[nodiscard]] std::string json() const;

 private:
  ConfigReader(std::shared_ptr<ConfigDocument> document, std::vector<std::string> path);
  [[nodiscard]] std::vector<std::string> pathOf(std::string_view key) const;
  [[nodiscard]] bool isThere(std::string_view key, KeyRequest request) const;

  std::shared_ptr<ConfigDocument> document_;
  std::vector<std::string> path_;  // keys from the root to this table
};

}  // namespace ipusim
