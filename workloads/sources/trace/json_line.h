// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <simdjson.h>

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/config/words.h"
#include "ipusim/error.h"

// One line of a trace, read strictly. Every error is a ConfigError of one line: `file:line: key:
// wanted WANTED, found FOUND`.

namespace ipusim::workloads {

/// Where a line is. The name of the file must outlive this.
struct LinePlace {
  const std::string* file;
  std::uint64_t line;
};

/// A value of a line, and the key that it belongs to.
class JsonValue {
 public:
  JsonValue(simdjson::dom::element element, std::string_view key, LinePlace place)
      : element_(element), key_(key), place_(place) {}

  [[nodiscard]] bool isText() const { return element_.is_string(); }
  [[nodiscard]] bool isArray() const { return element_.is_array(); }
  [[nodiscard]] bool isRecord() const { return element_.is_object(); }
  [[nodiscard]] bool isFlag() const { return element_.is_bool(); }
  [[nodiscard]] bool isReal() const { return element_.is_double(); }
  [[nodiscard]] bool isWhole() const { return element_.is_uint64() || element_.is_int64(); }

  [[nodiscard]] std::string_view text() const;
  /// A whole number in [low, high], which may be written as a real one, such as 1e6.
  [[nodiscard]] std::uint64_t whole(std::uint64_t low, std::uint64_t high) const;
  /// A whole number in [-high, high].
  [[nodiscard]] std::int64_t signedWhole(std::uint64_t high) const;
  [[nodiscard]] double real() const;
  [[nodiscard]] bool flag() const;
  /// The value of a word.
  template <typename Value, std::size_t Count>
  [[nodiscard]] Value word(const Words<Value, Count>& words) const {
    const std::string_view found = text();
    for (const Word<Value>& one : words) {
      if (found == one.word) return one.value;
    }
    throw wrongWord(choicesOf(words));
  }

  /// How many values an array has.
  [[nodiscard]] std::size_t size() const { return array().size(); }
  /// Calls `visit` with each value of an array.
  template <typename Visit>
  void forEach(const Visit& visit) const {
    for (const simdjson::dom::element value : array()) visit(JsonValue(value, key_, place_));
  }
  /// Value number `index` of an array.
  [[nodiscard]] JsonValue at(std::size_t index) const {
    return {array().at(index).value(), key_, place_};
  }

  [[nodiscard]] std::string_view key() const { return key_; }
  [[nodiscard]] LinePlace place() const { return place_; }
  [[nodiscard]] ConfigError error(const std::string& wanted) const;
  /// Where the value is no fault by itself.
  [[nodiscard]] ConfigError error(const std::string& wanted, const std::string& found) const;
  [[nodiscard]] simdjson::dom::object object() const;
  /// The value as JSON without spaces.
  [[nodiscard]] std::string json() const { return simdjson::minify(element_); }

 private:
  [[nodiscard]] simdjson::dom::array array() const;
  [[nodiscard]] ConfigError wrongWord(const std::vector<std::string>& words) const;

  simdjson::dom::element element_;
  std::string_view key_;
  LinePlace place_;
};

/// An object of a line: values by key. Each key may stand there once.
class JsonRecord {
 public:
  explicit JsonRecord(const JsonValue& value);

  [[nodiscard]] bool contains(std::string_view key) const { return entryOf(key) != nullptr; }
  /// The value at `key`, if there is one.
  [[nodiscard]] std::optional<JsonValue> find(std::string_view key) const;
  [[nodiscard]] JsonValue at(std::string_view key) const;
  /// A value at `key`, or `otherwise`.
  [[nodiscard]] std::uint64_t count(std::string_view key, std::uint64_t high,
                                    std::uint64_t otherwise) const;

  /// Throws for the first key that nobody read.
  void expectAllRead() const;
  /// The first key of the object; empty when there is none.
  [[nodiscard]] std::string_view firstKey() const;
  [[nodiscard]] ConfigError error(std::string_view key, const std::string& wanted,
                                  const std::string& found) const;

 private:
  struct Entry {
    std::string_view key;
    simdjson::dom::element value;
    bool read;
  };
  [[nodiscard]] Entry* entryOf(std::string_view key) const;

  LinePlace place_;
  mutable boost::container::small_vector<Entry, 12> entries_;
  mutable boost::container::small_vector<std::string_view, 12> asked_;
};

/// A ConfigError for a fault of a whole line.
ConfigError errorAt(LinePlace place, const std::string& what);

}  // namespace ipusim::workloads
