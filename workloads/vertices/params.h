// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/config_reader.h"
#include "ipusim/vertex_type.h"
#include "models/ipu/cost/op_placement.h"

// The common part of the files of the vertex types. It converts words and numbers of a shape to
// parameters and back, and makes the two functions of a type from its shape.

namespace ipusim::workloads {

/// A value of an enumeration, and the word that stands for it in a text.
template <typename Value>
struct Word {
  Value value;
  const char* word;
};
template <typename Value, std::size_t count>
using Words = std::array<Word<Value>, count>;

/// The number types, with which most vertices compute.
constexpr Words<ElementType, 2> kNumberWords{
    {{ElementType::Half, "half"}, {ElementType::Float, "float"}}};
/// All element types, which a vertex may move, compare or convert.
constexpr Words<ElementType, 6> kElementWords{{{ElementType::Half, "half"},
                                               {ElementType::Float, "float"},
                                               {ElementType::Int32, "int"},
                                               {ElementType::UInt32, "unsigned int"},
                                               {ElementType::UInt16, "unsigned short"},
                                               {ElementType::Bool, "bool"}}};
constexpr Words<models::OpPlacement, 2> kInPlaceWords{
    {{models::OpPlacement::OutOfPlace, "no"}, {models::OpPlacement::InPlace, "yes"}}};

/// The word for `value`. Throws InternalError when there is none.
template <typename Value, std::size_t count>
const char* wordOf(const Value& value, const Words<Value, count>& words) {
  const auto found = std::find_if(words.begin(), words.end(),
                                  [&](const Word<Value>& one) { return one.value == value; });
  check(found != words.end(), "a value that no vertex type has a word for");
  return found->word;
}

/// `word` in capitals, as the vendor's names have their operators.
inline std::string upperCase(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return word;
}

/// The value of `word`, which must be one of the words.
template <typename Value, std::size_t count>
Value valueOf(const std::string& word, const Words<Value, count>& words) {
  const auto found = std::find_if(words.begin(), words.end(),
                                  [&](const Word<Value>& one) { return one.word == word; });
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

/// A larger field would outgrow any tile.
constexpr std::uint64_t kMaxElements = 1U << 24U;

/// A count of at least one.
inline std::uint64_t readCount(const ConfigReader& config, const char* key) {
  return config.whole(key, 1, kMaxElements);
}
inline std::uint64_t readCount(const ConfigReader& config, const char* key,
                               std::uint64_t otherwise) {
  return config.whole(key, 1, kMaxElements, otherwise);
}

/// The factor at the key "scale".
inline float readScale(const ConfigReader& config, double otherwise) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  return static_cast<float>(config.real("scale", -kLargest, kLargest, otherwise));
}

/// The types of a product's operands and of its partials.
struct ProductTypes {
  ElementType inputs;
  ElementType partials;
};
/// Reads the keys "type" and "partials_type". Float inputs need float partials.
inline ProductTypes readProductTypes(const ConfigReader& config) {
  const ProductTypes types{readWord(config, "type", kNumberWords),
                           readWord(config, "partials_type", kNumberWords)};
  if (types.inputs == ElementType::Float && types.partials == ElementType::Half) {
    throw config.error("partials_type", "\"float\" with float inputs");
  }
  return types;
}

/// The cost and the result of a vertex of a given shape.
template <typename Shape>
struct ShapeFunctions {
  Cycles (*cost)(const Shape&, const Architecture&);
  void (*compute)(const Shape&, const VertexData&);
};

/// Gives `type` its two functions, which share one copy of `shape`.
template <typename Shape>
void setFunctions(VertexType& type, Shape shape, const ShapeFunctions<Shape>& functions) {
  const auto held = std::make_shared<const Shape>(std::move(shape));
  type.cost = [held, cost = functions.cost](const Architecture& machine) {
    return cost(*held, machine);
  };
  type.compute = [held, compute = functions.compute](const VertexData& data) {
    compute(*held, data);
  };
}

}  // namespace ipusim::workloads
