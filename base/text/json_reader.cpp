// SPDX-License-Identifier: Apache-2.0
#include "base/text/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error_boundary.h"
#include "base/text/json.h"
#include "base/text/message.h"
#include "ipusim/error.h"

namespace ipusim {

namespace {

constexpr int kMostLevels = 64;
constexpr const char* kBlanks = " \t\r\n";

std::size_t lineAt(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte);
  return 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

ConfigError errorIn(std::string_view text, std::size_t byte, const std::string& file,
                    const std::string& wanted) {
  const std::string_view rest = text.substr(std::min(byte, text.size()));
  const std::string_view line = rest.substr(0, rest.find_first_of("\r\n"));
  return ConfigError(fmt::format("{}:{}: wanted {}, found {}", file, lineAt(text, byte), wanted,
                                 rest.empty() ? "the end of the file" : inQuotes(line)));
}

/// The byte after the text that opens with the quote at `begin`.
std::size_t endOfString(std::string_view text, std::size_t begin) {
  for (std::size_t i = begin + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  return text.size();
}

/// How many levels deeper the text is after `c`, outside texts.
int levelsAfter(char c) {
  if (c == '{' || c == '[') return 1;
  return c == '}' || c == ']' ? -1 : 0;
}

/// The byte after the object, array or scalar that begins at `begin`. Whether it is JSON is left to
/// the parser.
std::size_t endOfValue(std::string_view text, std::size_t begin, const std::string& file) {
  constexpr std::string_view kAfterScalar = " \t\r\n{[";
  int levels = 0;
  std::size_t i = begin;
  while (i < text.size()) {
    const char c = text[i];
    const bool next_value = i > begin && kAfterScalar.find(c) != std::string_view::npos;
    if (levels == 0 && next_value) return i;
    const int change = levelsAfter(c);
    levels += change;
    if (levels > kMostLevels) {
      throw errorIn(text, i, file,
                    fmt::format("at most {} nested objects and arrays", kMostLevels));
    }
    i = c == '"' ? endOfString(text, i) : i + 1;
    if (change < 0 && levels <= 0) return i;
  }
  return i;
}

Json parsePart(std::string_view text, std::size_t begin, std::size_t end, const std::string& file) {
  const std::string_view part = text.substr(begin, end - begin);
  const auto parse = [&] {
    return translateErrors<Json::parse_error>(
        [&] { return Json::parse(part.begin(), part.end()); },
        [&](const Json::parse_error& error) {
          return errorIn(text, begin + (error.byte > 0 ? error.byte - 1 : 0), file, "JSON");
        });
  };
  return translateErrors<Json::out_of_range>(parse, [&](const Json::out_of_range&) {
    return errorIn(text, begin, file, "numbers that 64 bits can hold");
  });
}

std::optional<std::uint64_t> wholeOf(const Json& value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (value.is_number_float()) {
    constexpr double kLimit = 18446744073709551616.0;  // 2^64
    const auto real = value.get<double>();
    if (real >= 0 && real < kLimit && real == std::floor(real)) {
      return static_cast<std::uint64_t>(real);
    }
  }
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    std::uint64_t whole = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), whole);
    if (parsed.ec == std::errc() && parsed.ptr == text.data() + text.size()) return whole;
  }
  return std::nullopt;
}

std::string foundText(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return fmt::format("an array of {}", value.size());
  if (value.is_string()) return inQuotes(value.get_ref<const std::string&>());
  return value.dump();
}

}  // namespace

JsonReader JsonReader::inside(const Json& value, const std::string& key) const {
  JsonReader reader(value, file_);
  reader.keys_ = keys_ + key;
  return reader;
}

std::optional<JsonReader> JsonReader::find(const std::string& key) const {
  if (!value_->is_object()) fail("an object");
  const auto member = value_->find(key);
  if (member == value_->end() || member->is_null()) return std::nullopt;
  return inside(*member, (keys_.empty() ? "" : ".") + oneLine(key));
}

JsonReader JsonReader::at(const std::string& key) const {
  const std::optional<JsonReader> member = find(key);
  if (!member) fail("the key " + inQuotes(key), "none");
  return *member;
}

std::size_t JsonReader::size() const {
  if (!value_->is_array()) fail("an array");
  return value_->size();
}

JsonReader JsonReader::operator[](std::size_t index) const {
  check(index < size(), "the index is in the array");
  return inside((*value_)[index], fmt::format("[{}]", index));
}

std::uint64_t JsonReader::count() const {
  const std::optional<std::uint64_t> whole = wholeOf(*value_);
  if (!whole) fail("a whole number that is not negative");
  return *whole;
}

double JsonReader::real() const {
  if (!value_->is_number()) fail("a number");
  return value_->get<double>();
}

std::string JsonReader::text() const {
  if (!value_->is_string()) fail("a text");
  return value_->get<std::string>();
}

bool JsonReader::flag() const {
  if (!value_->is_boolean()) fail("true or false");
  return value_->get<bool>();
}

std::vector<std::uint64_t> JsonReader::counts() const {
  std::vector<std::uint64_t> all;
  all.reserve(size());
  for (const Json& element : *value_) {
    const std::optional<std::uint64_t> whole = wholeOf(element);
    all.push_back(whole ? *whole : (*this)[all.size()].count());
  }
  return all;
}

void JsonReader::fail(const std::string& wanted) const {
  fail(wanted, foundText(*value_));
}

void JsonReader::fail(const std::string& wanted, const std::string& found) const {
  throw ConfigError(fmt::format("{}: {}{}wanted {}, found {}", file_, keys_,
                                keys_.empty() ? "" : ": ", wanted, found));
}

std::vector<JsonAt> parseJsonValues(std::string_view text, const std::string& file) {
  std::vector<JsonAt> values;
  std::size_t line = 1;
  std::size_t end = 0;
  for (;;) {
    const std::size_t begin = text.find_first_not_of(kBlanks, end);
    if (begin >= text.size()) return values;
    line += lineAt(text.substr(end), begin - end) - 1;
    end = endOfValue(text, begin, file);
    values.push_back({parsePart(text, begin, end, file), line});
    line += lineAt(text.substr(begin), end - begin) - 1;
  }
}

Json parseJson(std::string_view text, const std::string& file) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin >= text.size()) throw errorIn(text, text.size(), file, "JSON");
  Json value = parsePart(text, begin, endOfValue(text, begin, file), file);
  const std::size_t more = text.find_first_not_of(kBlanks, endOfValue(text, begin, file));
  if (more < text.size()) throw errorIn(text, more, file, "the end of the file");
  return value;
}

}  // namespace ipusim
