// SPDX-License-Identifier: Apache-2.0
#include "base/config/config_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/text/message.h"

namespace ipusim {

std::string dotted(const ConfigPath& path) {
  return oneLine(fmt::format("{}", fmt::join(path, ".")));
}

bool isWithin(const ConfigPath& path, const ConfigPath& top) {
  return path.size() >= top.size() && std::equal(top.begin(), top.end(), path.begin());
}

namespace {

const toml::node* findIn(const toml::table& root, const ConfigPath& path) {
  const toml::node* node = &root;
  for (const std::string& key : path) {
    const toml::table* table = node->as_table();
    node = table == nullptr ? nullptr : table->get(key);
    if (node == nullptr) return nullptr;
  }
  return node;
}

}  // namespace

ConfigDocument::ConfigDocument(toml::table root, std::string name, std::filesystem::path file)
    : parsed_(std::make_shared<const toml::table>(std::move(root))),
      name_(std::move(name)),
      file_(std::move(file)) {}

std::shared_ptr<ConfigDocument> ConfigDocument::unread() const {
  auto document = std::make_shared<ConfigDocument>(toml::table(), name_, file_);
  document->parsed_ = parsed_;
  document->changed_ = changed_;
  document->overridden_ = overridden_;
  document->wrapped_ = wrapped_;
  return document;
}

const toml::node* ConfigDocument::find(const ConfigPath& path) const {
  return findIn(root(), path);
}

toml::source_index ConfigDocument::lineOf(const ConfigPath& path) const {
  const toml::node* node = findIn(*parsed_, path);
  return node == nullptr ? 0 : node->source().begin.line;
}

std::string ConfigDocument::where(const ConfigPath& path) const {
  for (ConfigPath above = path; !above.empty(); above.pop_back()) {
    if (overridden_.count(above) != 0) return "--set " + dotted(above);
  }
  for (ConfigPath above = path; !above.empty(); above.pop_back()) {
    if (const auto wrapped = wrapped_.find(above);
        wrapped != wrapped_.end() && wrapped->second > 0) {
      return fmt::format("{}:{}", name_, wrapped->second);
    }
    const toml::node* node = find(above);
    const toml::source_index line = node == nullptr ? 0 : lineOf(above);
    if (line > 0) return fmt::format("{}:{}", name_, line);
    // Only overrides made this table: the message names the first of them.
    const auto below = overridden_.lower_bound(above);
    if (node != nullptr && below != overridden_.end() && isWithin(*below, above)) {
      return "--set " + dotted(*below);
    }
  }
  return name_ + ":1";
}

std::string ConfigDocument::place(const ConfigPath& path) const {
  const std::string key = dotted(path);
  const std::string place = where(path);
  return place == "--set " + key ? place : place + ": " + key;
}

ConfigError ConfigDocument::error(const ConfigPath& path, const std::string& wanted,
                                  const std::string& found) const {
  return ConfigError(fmt::format("{}: wanted {}, found {}", place(path), wanted, found));
}

}  // namespace ipusim
