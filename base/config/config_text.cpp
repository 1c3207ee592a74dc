// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/config/config_document.h"
#include "base/config/toml_hazard.h"
#include "base/error_boundary.h"
#include "base/files/read_file.h"
#include "base/text/message.h"

// Reads a file into a TOML tree.

namespace ipusim {
namespace {

constexpr std::uint64_t kLargestMebibytes = 1;
constexpr std::size_t kLargestText = std::size_t{kLargestMebibytes} << 20U;

std::string lineOf(std::string_view text, std::size_t line) {
  for (std::size_t i = 1; i < line; ++i) {
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    if (text.empty()) break;
  }
  text = text.substr(0, text.find_first_of("\r\n"));
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return inQuotes(text.substr(0, text.find_last_not_of(" \t") + 1));
}

/// The parser's error in the form of all other messages.
ConfigError syntaxError(const toml::parse_error& error, std::string_view text,
                        const std::string& name) {
  constexpr std::size_t kDescriptionLength = 512;
  const std::string why = oneLine(error.description(), kDescriptionLength);
  const std::size_t line = error.source().begin.line;
  const bool repeated = why.find("cannot redefine") != std::string::npos;
  return ConfigError(fmt::format("{}:{}: wanted {}, found {} ({})", name, line,
                                 repeated ? "each key once" : "TOML", lineOf(text, line), why));
}

}  // namespace

toml::table parseToml(std::string_view text, const std::string& name) {
  if (text.size() > kLargestText) {
    throw ConfigError(fmt::format("{}:1: wanted at most 1 MiB of TOML, found more", name));
  }
  const TomlHazardAt found = findTomlHazard(text);
  if (found.hazard != TomlHazard::None) {
    const std::string wanted = found.hazard == TomlHazard::TooDeep
                                   ? fmt::format("at most {} nested tables and arrays", kMaxNesting)
                                   : "TOML, which is ASCII outside texts and comments";
    throw ConfigError(fmt::format("{}:{}: wanted {}, found {}", name, found.line, wanted,
                                  lineOf(text, found.line)));
  }
  return translateErrors<toml::parse_error>(
      [&] { return toml::parse(text); },
      [&](const toml::parse_error& error) { return syntaxError(error, text, name); });
}

std::string readConfigText(const std::filesystem::path& path) {
  return readFile(path, kLargestMebibytes);
}

}  // namespace ipusim
