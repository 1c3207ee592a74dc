// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/config/config_document.h"
#include "base/config/toml_hazard.h"
#include "base/error_boundary.h"
#include "base/text/message.h"

namespace ipusim {
namespace {

bool isBareKey(std::string_view key) {
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  return !key.empty() && key.find_first_not_of(kAllowed) == std::string_view::npos;
}

ConfigPath splitKey(const std::string& key) {
  ConfigPath path(1);
  for (const char c : key) {
    if (c == '.') {
      path.emplace_back();
    } else {
      path.back() += c;
    }
  }
  if (!std::all_of(path.begin(), path.end(), isBareKey) || path.size() > kMaxNesting) {
    throw ConfigError(fmt::format("--set {}: wanted a dotted key such as machine.tiles, found {}",
                                  oneLine(key), inQuotes(key)));
  }
  return path;
}

/// Nothing when `text` is not TOML.
std::optional<toml::table> parsed(const std::string& text) {
  if (findTomlHazard(text).hazard != TomlHazard::None) return std::nullopt;
  return resultOrNone<toml::parse_error>([&] { return toml::parse(text); });
}

/// Bare text goes into messages and JSON. It must be UTF-8 on one line, as TOML requires of a
/// comment too.
bool isPlainText(const std::string& text) {
  return text.find_first_of("\r\n") == std::string::npos && parsed("#" + text).has_value();
}

/// The table `{v = VALUE}`, where VALUE is the TOML value in `text`, or else `text` itself.
toml::table parseValue(const ConfigPath& path, const std::string& text) {
  if (!isPlainText(text)) {
    throw ConfigError(fmt::format("--set {}: wanted one line of UTF-8 text, found {}", dotted(path),
                                  inQuotes(text)));
  }
  std::optional<toml::table> value = parsed("v = " + text);
  return value ? std::move(*value) : toml::table{{"v", text}};
}

}  // namespace

Override Override::parse(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw ConfigError(fmt::format("--set {}: wanted key=value, found {}", oneLine(text),
                                  equals == 0 ? "no key" : "no ="));
  }
  Override result{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
  splitKey(result.key);
  return result;
}

std::vector<Override> parseOverrides(const std::vector<std::string>& texts) {
  std::vector<Override> overrides;
  overrides.reserve(texts.size());
  for (const std::string& text : texts) overrides.push_back(Override::parse(text));
  return overrides;
}

void ConfigDocument::apply(const Override& override) {
  const ConfigPath path = splitKey(override.key);
  toml::table holder = parseValue(path, override.value);
  if (!changed_) changed_ = *parsed_;
  toml::table* table = &*changed_;
  for (std::size_t depth = 1; depth < path.size(); ++depth) {
    table = &tableForOverride(path, depth, *table);
  }
  table->insert_or_assign(path.back(), std::move(*holder.get("v")));
  forgetBelow(path);
  overridden_.insert(path);
}

toml::table& ConfigDocument::tableForOverride(const ConfigPath& path, std::size_t depth,
                                              toml::table& parent) {
  const ConfigPath above(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(depth));
  const std::string& key = above.back();
  toml::node* node = parent.get(key);
  if (node == nullptr) {
    parent.insert(key, toml::table{});
  } else if (const auto* text = node->as_string()) {
    wrapped_[above] = lineOf(above);
    toml::table base{{"base", text->get()}};
    parent.insert_or_assign(key, std::move(base));
  } else if (!node->is_table()) {
    throw ConfigError(fmt::format("--set {}: wanted {} to be a table, found {} ({})", dotted(path),
                                  dotted(above), describe(node), where(above)));
  }
  return *parent.get(key)->as_table();
}

void ConfigDocument::forgetBelow(const ConfigPath& path) {
  for (auto it = overridden_.begin(); it != overridden_.end();) {
    it = isWithin(*it, path) ? overridden_.erase(it) : std::next(it);
  }
  for (auto it = wrapped_.begin(); it != wrapped_.end();) {
    it = isWithin(it->first, path) ? wrapped_.erase(it) : std::next(it);
  }
}

}  // namespace ipusim
