// SPDX-License-Identifier: Apache-2.0
#include "base/config/config_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "base/config/config_document.h"
#include "base/config/key_request.h"
#include "base/numbers/whole_number.h"
#include "base/text/message.h"

namespace ipusim {
namespace {

constexpr std::size_t kFewKeys = 8;
constexpr std::size_t kMostKeysInALine = 32;

constexpr const char* kText = "text";
constexpr const char* kChoice = "one of";
constexpr const char* kReal = "number";
constexpr const char* kFlag = "true or false";
constexpr const char* kTexts = "list of texts";
constexpr const char* kFile = "file";
constexpr const char* kTable = "table";

/// Remembers how the key at `path` was asked for. A later request adds to earlier ones: a choice or
/// a file stays one when the key is read as a text again.
void keep(ConfigDocument& document, const ConfigPath& path, KeyRequest request) {
  const ConfigPath table(path.begin(), path.end() - 1);
  KeyRequest& kept = document.asked[table][path.back()];
  const bool says_more =
      std::string_view(kept.type).empty() || request.type != std::string_view(kText);
  if (!std::string_view(request.type).empty() && says_more) {
    kept.type = request.type;
    kept.range = std::move(request.range);
  }
  if (request.otherwise.index() != 0) kept.otherwise = std::move(request.otherwise);
  kept.is_optional = kept.is_optional || request.is_optional;
}

/// Marks the key at `path` as read and returns its node, or null when there is none.
const toml::node* take(ConfigDocument& document, const ConfigPath& path, KeyRequest request) {
  const ConfigPath table(path.begin(), path.end() - 1);
  keep(document, path, std::move(request));
  const toml::node* node = document.find(path);
  if (node != nullptr) document.read[table].insert(path.back());
  return node;
}

/// The keys of the table at `path` that nobody has asked for yet. A misspelt key is one of them.
std::vector<std::string> strangers(const ConfigDocument& document, const ConfigPath& path) {
  std::vector<std::string> result;
  const toml::node* node = document.find(path);
  const auto asked = document.asked.find(path);
  if (node == nullptr || !node->is_table()) return result;
  for (const auto& [key, value] : *node->as_table()) {
    const bool known = asked != document.asked.end() && asked->second.count(std::string(key)) != 0;
    if (!known) result.emplace_back(key);
  }
  return result;
}

ConfigError wrong(const ConfigDocument& document, const ConfigPath& path,
                  const std::string& wanted) {
  const toml::node* node = document.find(path);
  if (node != nullptr) return document.error(path, wanted, describe(node));
  const ConfigPath table(path.begin(), path.end() - 1);
  const std::string close = nearest(path.back(), strangers(document, table));
  return document.error(path, wanted,
                        close.empty() ? "nothing" : "nothing, but " + inQuotes(close));
}

/// A long list of known keys stands at the end of the line, so that it hides nothing.
ConfigError unknownKey(const ConfigDocument& document, const ConfigPath& path) {
  const ConfigPath table(path.begin(), path.end() - 1);
  const auto asked = document.asked.find(table);
  std::vector<std::string> known;
  if (asked != document.asked.end()) {
    for (const auto& [key, request] : asked->second) known.push_back(key);
  }
  const std::string found = "the unknown key " + inQuotes(path.back());
  const std::string close = nearest(path.back(), known);
  if (!close.empty()) return document.error(path, close, found);
  if (known.size() > kMostKeysInALine) {
    const std::vector<std::string> near = nearestOf(path.back(), known, kFewKeys / 2);
    return document.error(
        path, "a known key",
        fmt::format("{}; the nearest of {} are {}, and `ipusim list keys` has all", found,
                    known.size(), fmt::join(near, ", ")));
  }
  const std::string list = fmt::format("{}", fmt::join(known, ", "));
  if (known.size() <= kFewKeys) return document.error(path, "one of " + list, found);
  return document.error(path, "a known key", fmt::format("{}; known are {}", found, list));
}

/// The range as text, such as ` of at least 1` or ` in [1, 64]`.
std::string rangeText(std::uint64_t low, std::uint64_t high) {
  if (high >= kLargestToml) return fmt::format(" of at least {}", low);
  return fmt::format(" in [{}, {}]", low, high);
}

/// The value of a node that is whole and not negative. TOML has no exponents in whole numbers, so
/// that 150e9 is a real one.
std::optional<std::uint64_t> wholeAt(const toml::node& node) {
  if (const auto* number = node.as_integer()) {
    if (number->get() < 0) return std::nullopt;
    return static_cast<std::uint64_t>(number->get());
  }
  const auto* real = node.as_floating_point();
  return real == nullptr ? std::nullopt : wholeNumberOf(real->get());
}

/// The number, if the node is a whole number in the range.
std::optional<std::uint64_t> wholeIn(const toml::node* node, std::uint64_t low,
                                     std::uint64_t high) {
  if (node == nullptr) return std::nullopt;
  const std::optional<std::uint64_t> value = wholeAt(*node);
  if (!value || *value < low || *value > high) return std::nullopt;
  return value;
}

}  // namespace

ConfigReader::ConfigReader(std::shared_ptr<ConfigDocument> document, ConfigPath path)
    : document_(std::move(document)), path_(std::move(path)) {}

ConfigReader ConfigReader::fromFile(const std::filesystem::path& path,
                                    const std::vector<Override>& overrides) {
  const std::string name = oneLine(path.string(), kPathLength);
  auto document =
      std::make_shared<ConfigDocument>(parseToml(readConfigText(path), name), name, path);
  for (const Override& override : overrides) document->apply(override);
  return {std::move(document), {}};
}

ConfigReader ConfigReader::fromText(std::string_view text, const std::string& name,
                                    const std::vector<Override>& overrides) {
  auto document =
      std::make_shared<ConfigDocument>(parseToml(text, name), name, std::filesystem::path());
  for (const Override& override : overrides) document->apply(override);
  return {std::move(document), {}};
}

ConfigReader ConfigReader::with(const std::vector<Override>& overrides) const {
  auto document = document_->unread();
  for (const Override& override : overrides) document->apply(override);
  return {std::move(document), path_};
}

ConfigPath ConfigReader::pathOf(std::string_view key) const {
  ConfigPath path = path_;
  path.emplace_back(key);
  return path;
}

bool ConfigReader::has(std::string_view key) const {
  return isThere(key, {"", {}, {}, true});
}

bool ConfigReader::isThere(std::string_view key, KeyRequest request) const {
  const ConfigPath path = pathOf(key);
  keep(*document_, path, std::move(request));
  return document_->find(path) != nullptr;
}

bool ConfigReader::isTable(std::string_view key) const {
  return isThere(key, {}) && document_->find(pathOf(key))->is_table();
}

std::optional<std::string> ConfigReader::peekText(std::string_view key) const {
  const toml::node* node = document_->find(pathOf(key));
  if (node == nullptr || !node->is_string()) return std::nullopt;
  return node->as_string()->get();
}

std::string ConfigReader::text(std::string_view key) const {
  const toml::node* node = take(*document_, pathOf(key), {kText});
  if (node == nullptr || !node->is_string()) throw error(key, "a text");
  return node->as_string()->get();
}

std::string ConfigReader::text(std::string_view key, const std::string& otherwise) const {
  return isThere(key, {kText, {}, otherwise}) ? text(key) : otherwise;
}

/// The choices in a message: of many, those that are nearest to what was found.
static std::string listed(const std::string& found, const std::vector<std::string>& choices) {
  constexpr std::size_t kMostListed = 20;
  if (choices.size() <= kMostListed) return fmt::format("{}", fmt::join(choices, ", "));
  std::vector<std::string> nearest = nearestOf(found, choices, kMostListed);
  std::sort(nearest.begin(), nearest.end());
  return fmt::format("{} and {} more", fmt::join(nearest, ", "), choices.size() - kMostListed);
}

std::string ConfigReader::choice(std::string_view key,
                                 const std::vector<std::string>& choices) const {
  const toml::node* node = take(*document_, pathOf(key), {kChoice, choices});
  const bool is_text = node != nullptr && node->is_string();
  std::string value = is_text ? node->as_string()->get() : "";
  if (is_text && std::find(choices.begin(), choices.end(), value) != choices.end()) return value;
  throw error(key, fmt::format("one of {}{}", listed(value, choices), didYouMean(value, choices)));
}

std::string ConfigReader::choice(std::string_view key, const std::vector<std::string>& choices,
                                 const std::string& otherwise) const {
  return isThere(key, {kChoice, choices, otherwise}) ? choice(key, choices) : otherwise;
}

std::uint64_t ConfigReader::whole(std::string_view key, std::uint64_t low,
                                  std::uint64_t high) const {
  const auto value = wholeIn(
      take(*document_, pathOf(key), {kWholeNumber, KeyRequest::WholeRange(low, high)}), low, high);
  if (!value) throw error(key, "a whole number" + rangeText(low, high));
  return *value;
}

std::uint64_t ConfigReader::whole(std::string_view key, std::uint64_t low, std::uint64_t high,
                                  std::uint64_t otherwise) const {
  const KeyRequest request{kWholeNumber, KeyRequest::WholeRange(low, high), otherwise};
  return isThere(key, request) ? whole(key, low, high) : otherwise;
}

double ConfigReader::real(std::string_view key, double low, double high) const {
  const toml::node* node = take(*document_, pathOf(key), {kReal, KeyRequest::RealRange(low, high)});
  const bool is_number = node != nullptr && node->is_number();
  // A whole number that no double equals has no value here.
  const double value = is_number ? node->value<double>().value_or(NAN) : NAN;
  // A NaN compares false with everything and therefore fails here.
  if (value >= low && value <= high && std::isfinite(value)) return value;
  throw error(key, fmt::format("a number in [{}, {}]", low, high));
}

double ConfigReader::real(std::string_view key, double low, double high, double otherwise) const {
  const KeyRequest request{kReal, KeyRequest::RealRange(low, high), otherwise};
  return isThere(key, request) ? real(key, low, high) : otherwise;
}

bool ConfigReader::flag(std::string_view key, bool otherwise) const {
  const toml::node* node = take(*document_, pathOf(key), {kFlag, {}, otherwise});
  if (node == nullptr) return otherwise;
  if (!node->is_boolean()) throw error(key, "true or false");
  return node->as_boolean()->get();
}

std::vector<std::uint64_t> ConfigReader::wholes(std::string_view key, std::uint64_t low,
                                                std::uint64_t high) const {
  const toml::node* node =
      take(*document_, pathOf(key), {kWholeNumbers, KeyRequest::WholeRange(low, high)});
  const toml::array* array = node == nullptr ? nullptr : node->as_array();
  const std::string wanted = "an array of whole numbers" + rangeText(low, high);
  if (array == nullptr) throw error(key, wanted);
  if (array->empty()) throw document_->error(pathOf(key), wanted, "an empty one");
  std::vector<std::uint64_t> values;
  for (const toml::node& element : *array) {
    const auto value = wholeIn(&element, low, high);
    if (!value) throw document_->error(pathOf(key), wanted, describe(&element) + " in it");
    values.push_back(*value);
  }
  return values;
}

std::vector<std::string> ConfigReader::texts(std::string_view key,
                                             const std::vector<std::string>& otherwise) const {
  const std::string usual = fmt::format("{}", fmt::join(otherwise, ", "));
  const toml::node* node = take(*document_, pathOf(key), {kTexts, {}, usual});
  if (node == nullptr) return otherwise;
  const toml::array* array = node->as_array();
  if (array == nullptr) throw error(key, "a list of texts");
  std::vector<std::string> values;
  for (const toml::node& element : *array) {
    if (!element.is_string()) throw error(key, "a list of texts");
    values.push_back(element.as_string()->get());
  }
  return values;
}

std::filesystem::path ConfigReader::path(std::string_view key) const {
  const std::string name = text(key);
  keep(*document_, pathOf(key), {kFile});
  const FileSearch search = searchConfigFile(name, document_->file());
  if (search.file) return *search.file;
  throw document_->error(
      pathOf(key), "a file",
      fmt::format("{} nowhere: tried {}", inQuotes(name), fmt::join(search.tried, ", ")));
}

ConfigReader ConfigReader::table(std::string_view key) const {
  const toml::node* node = take(*document_, pathOf(key), {kTable});
  if (node == nullptr || !node->is_table()) throw error(key, "a table");
  return {document_, pathOf(key)};
}

std::vector<std::string> ConfigReader::keys() const {
  // Keys that an override added have line 0. They come last, sorted by name.
  using Place = std::tuple<bool, toml::source_index, toml::source_index, std::string>;
  std::vector<Place> places;
  for (const auto& [key, value] : *document_->find(path_)->as_table()) {
    const toml::source_position begin = key.source().begin;
    places.emplace_back(begin.line == 0, begin.line, begin.column, std::string(key));
  }
  std::sort(places.begin(), places.end());
  std::vector<std::string> result;
  result.reserve(places.size());
  for (Place& place : places) result.push_back(std::move(std::get<std::string>(place)));
  return result;
}

ConfigError ConfigReader::error(std::string_view key, const std::string& wanted) const {
  return wrong(*document_, pathOf(key), wanted);
}

std::string ConfigReader::place(std::string_view key) const {
  return document_->place(pathOf(key));
}

void ConfigReader::expectAllRead() const {
  const std::set<std::string>& read = document_->read[path_];
  for (const std::string& key : keys()) {
    if (read.count(key) == 0) throw unknownKey(*document_, pathOf(key));
    if (isTable(key)) table(key).expectAllRead();
  }
}

std::vector<AskedKey> ConfigReader::askedKeys() const {
  std::vector<AskedKey> keys;
  for (const auto& [table, requests] : document_->asked) {
    for (const auto& [key, request] : requests) {
      ConfigPath path = table;
      path.push_back(key);
      keys.push_back(inWords(dotted(path), request));
    }
  }
  return keys;
}

std::filesystem::path ConfigReader::file() const {
  return document_->file();
}

}  // namespace ipusim
