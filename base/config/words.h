// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "base/config/config_reader.h"
#include "ipusim/error.h"

// Converts the values of an enumeration to words and back. One table serves both directions.

namespace ipusim {

/// A value of an enumeration, and its word.
template <typename Value>
struct Word {
  Value value;
  const char* word;
};
template <typename Value, std::size_t count>
using Words = std::array<Word<Value>, count>;

/// The word for `value`. Throws InternalError when there is none.
template <typename Value, std::size_t count>
const char* wordOf(const Value& value, const Words<Value, count>& words) {
  const auto found = std::find_if(words.begin(), words.end(),
                                  [&](const Word<Value>& one) { return one.value == value; });
  check(found != words.end(), "a value of an enumeration that has no word");
  return found->word;
}

/// The value of `word`. Throws InternalError when there is none.
template <typename Value, std::size_t count>
Value valueOf(const std::string& word, const Words<Value, count>& words) {
  const auto found = std::find_if(words.begin(), words.end(),
                                  [&](const Word<Value>& one) { return one.word == word; });
  check(found != words.end(), "a word that stands for no value of its enumeration");
  return found->value;
}

template <typename Value, std::size_t count>
std::vector<std::string> choicesOf(const Words<Value, count>& words) {
  std::vector<std::string> choices;
  for (const Word<Value>& one : words) choices.emplace_back(one.word);
  return choices;
}

/// The value of the word at `key`.
template <typename Value, std::size_t count>
Value readWord(const ConfigReader& config, const std::string& key,
               const Words<Value, count>& words) {
  return valueOf(config.choice(key, choicesOf(words)), words);
}

/// The value of the word at `key`, or `otherwise` when there is no such key.
template <typename Value, std::size_t count>
Value readWord(const ConfigReader& config, const std::string& key, const Words<Value, count>& words,
               Value otherwise) {
  return valueOf(config.choice(key, choicesOf(words), wordOf(otherwise, words)), words);
}

}  // namespace ipusim
