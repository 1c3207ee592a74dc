// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/json.h"

// JSON that somebody else wrote: every fault is a ConfigError in one line.

namespace ipusim {

/// A value of a file of JSON, and where it stands, for messages: `FILE: KEY: wanted ..., found
/// ...`. The value must outlive its readers.
class JsonReader {
 public:
  /// `file` is the name of the file in messages.
  JsonReader(const Json& value, std::string file) : value_(&value), file_(std::move(file)) {}

  [[nodiscard]] const Json& value() const { return *value_; }
  [[nodiscard]] bool isObject() const { return value_->is_object(); }
  [[nodiscard]] bool isArray() const { return value_->is_array(); }

  /// The member `key` of this object. find() gives nothing when there is none or when it is null.
  [[nodiscard]] std::optional<JsonReader> find(const std::string& key) const;
  [[nodiscard]] JsonReader at(const std::string& key) const;

  /// The number of elements of this array, and one of them.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] JsonReader operator[](std::size_t index) const;

  /// A whole number that is not negative. A number such as 12.0 and a text such as "12", as
  /// protocol buffers write 64 bits, are whole too.
  [[nodiscard]] std::uint64_t count() const;
  [[nodiscard]] double real() const;
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool flag() const;
  /// All elements of this array, which must be counts.
  [[nodiscard]] std::vector<std::uint64_t> counts() const;

  /// Throws the message that `wanted` was not found here.
  [[noreturn]] void fail(const std::string& wanted) const;
  [[noreturn]] void fail(const std::string& wanted, const std::string& found) const;

 private:
  [[nodiscard]] JsonReader inside(const Json& value, const std::string& key) const;

  const Json* value_;
  std::string file_;
  std::string keys_;  ///< the keys that lead here, such as "memory.tiles[3]"
};

/// A value of a text with several, and the line that it begins on.
struct JsonAt {
  Json value;
  std::size_t line;
};

/// The JSON values of a text, one after the other. Throws ConfigError, which names file and line,
/// for a text that is not JSON or that nests more than 64 levels.
std::vector<JsonAt> parseJsonValues(std::string_view text, const std::string& file);

/// The one JSON value of a text.
Json parseJson(std::string_view text, const std::string& file);

}  // namespace ipusim
