// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cctype>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "base/config/words.h"
#include "ipusim/vertex_type.h"
#include "models/ipu/cost/elementwise/op_placement.h"
#include "models/ipu/machine/element_words.h"

// The common part of the files of the vertex types. It converts words and numbers of a shape to
// parameters and back, and makes the two functions of a type from its shape.

namespace ipusim::workloads {

constexpr Words<models::OpPlacement, 2> kInPlaceWords{
    {{models::OpPlacement::OutOfPlace, "no"}, {models::OpPlacement::InPlace, "yes"}}};

/// `word` in capitals, as the vendor's names have their operators.
inline std::string upperCase(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return word;
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

/// `type` with its two functions, which share one copy of `shape`.
template <typename Shape>
VertexType withFunctions(VertexType type, Shape shape, const ShapeFunctions<Shape>& functions) {
  const auto held = std::make_shared<const Shape>(std::move(shape));
  type.cost = [held, cost = functions.cost](const Architecture& machine) {
    return cost(*held, machine);
  };
  type.compute = [held, compute = functions.compute](const VertexData& data) {
    compute(*held, data);
  };
  return type;
}

}  // namespace ipusim::workloads
