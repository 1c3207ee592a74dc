// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/trace/json_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/numbers/whole_number.h"
#include "base/text/message.h"

namespace ipusim::workloads {

namespace {

/// The value of a number that is whole and not negative, which may be written as 1e6.
std::optional<std::uint64_t> wholeIn(const simdjson::dom::element& element) {
  std::uint64_t whole = 0;
  if (element.get(whole) == simdjson::SUCCESS) return whole;
  double real = 0;
  if (element.get(real) != simdjson::SUCCESS) return std::nullopt;
  return wholeNumberOf(real);
}

}  // namespace

ConfigError errorAt(LinePlace place, const std::string& what) {
  return ConfigError(
      fmt::format("{}:{}: {}", oneLine(*place.file, 4 * kQuotedLength), place.line, what));
}

std::string_view JsonValue::text() const {
  std::string_view value;
  if (element_.get(value) != simdjson::SUCCESS) throw error("a text");
  return value;
}

std::uint64_t JsonValue::whole(std::uint64_t low, std::uint64_t high) const {
  const std::optional<std::uint64_t> value = wholeIn(element_);
  if (value && *value >= low && *value <= high) return *value;
  throw error(fmt::format("a whole number in [{}, {}]", low, high));
}

std::int64_t JsonValue::signedWhole(std::uint64_t high) const {
  std::int64_t value = 0;
  const auto most = static_cast<std::int64_t>(high);
  const bool is_whole = element_.get(value) == simdjson::SUCCESS;
  if (is_whole && value >= -most && value <= most) return value;
  throw error(fmt::format("a whole number in [-{0}, {0}]", high));
}

double JsonValue::real() const {
  double value = 0;
  if (element_.get(value) != simdjson::SUCCESS) throw error("a number");
  return value;
}

bool JsonValue::flag() const {
  bool value = false;
  if (element_.get(value) != simdjson::SUCCESS) throw error("true or false");
  return value;
}

simdjson::dom::array JsonValue::array() const {
  simdjson::dom::array value;
  if (element_.get(value) != simdjson::SUCCESS) throw error("an array");
  return value;
}

simdjson::dom::object JsonValue::object() const {
  simdjson::dom::object value;
  if (element_.get(value) != simdjson::SUCCESS) throw error("an object");
  return value;
}

ConfigError JsonValue::error(const std::string& wanted) const {
  std::string found = "a value of another type";
  if (element_.is_array()) {
    found = fmt::format("an array of {}", array().size());
  } else if (element_.is_object()) {
    found = "an object";
  } else if (element_.is_string()) {
    found = inQuotes(text());
  } else {
    found = oneLine(simdjson::minify(element_));
  }
  return error(wanted, found);
}

ConfigError JsonValue::error(const std::string& wanted, const std::string& found) const {
  return errorAt(place_, fmt::format("{}: wanted {}, found {}", oneLine(key_), wanted, found));
}

ConfigError JsonValue::wrongWord(const std::vector<std::string>& words) const {
  return error(
      fmt::format("one of {}{}", fmt::join(words, ", "), didYouMean(std::string(text()), words)));
}

JsonRecord::JsonRecord(const JsonValue& value) : place_(value.place()) {
  for (const auto& [key, element] : value.object()) {
    for (const Entry& entry : entries_) {
      if (entry.key == key) throw error(key, "a key once", "it twice");
    }
    constexpr std::size_t kMostKeys = 256;
    if (entries_.size() == kMostKeys) {
      throw error(key, fmt::format("at most {} keys", kMostKeys), "more");
    }
    entries_.push_back({key, element, false});
  }
}

JsonRecord::Entry* JsonRecord::entryOf(std::string_view key) const {
  asked_.push_back(key);
  for (Entry& entry : entries_) {
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

std::optional<JsonValue> JsonRecord::find(std::string_view key) const {
  Entry* entry = entryOf(key);
  if (entry == nullptr) return std::nullopt;
  entry->read = true;
  return JsonValue(entry->value, entry->key, place_);
}

JsonValue JsonRecord::at(std::string_view key) const {
  if (const auto value = find(key)) return *value;
  throw error(key, "a value", "none");
}

std::uint64_t JsonRecord::count(std::string_view key, std::uint64_t high,
                                std::uint64_t otherwise) const {
  const auto value = find(key);
  return value ? value->whole(0, high) : otherwise;
}

void JsonRecord::expectAllRead() const {
  for (const Entry& entry : entries_) {
    if (entry.read) continue;
    std::vector<std::string> known;
    for (const std::string_view key : asked_) {
      if (std::find(known.begin(), known.end(), key) == known.end()) known.emplace_back(key);
    }
    throw error(entry.key, fmt::format("one of {}", fmt::join(known, ", ")),
                "an unknown key" + didYouMean(std::string(entry.key), known));
  }
}

std::string_view JsonRecord::firstKey() const {
  return entries_.empty() ? std::string_view() : entries_.front().key;
}

ConfigError JsonRecord::error(std::string_view key, const std::string& wanted,
                              const std::string& found) const {
  return errorAt(place_, fmt::format("{}: wanted {}, found {}", oneLine(key), wanted, found));
}

}  // namespace ipusim::workloads
