// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/parallel/redistribution/array_type.h"

namespace ipusim::parallel {

/// A type in a short text, as the key of a search: one character per axis, those of a dimension
/// minor first, with a separator between two dimensions. Axis 0 is character 1.
using Word = std::string;
constexpr char kSeparator = '\0';

Word wordOf(const ArrayType& type);
/// The type of the word. Its shape is that of `like`.
ArrayType typeOf(const Word& word, const ArrayType& like);

/// What the steps from a type need to know of it.
struct WordLayout {
  WordLayout(const Word& word, const ArrayType& shape, const Mesh& mesh);

  std::vector<std::uint64_t> parts;  ///< number of parts of each dimension
  std::vector<std::size_t> begins;   ///< where each dimension begins in the word
  std::vector<std::size_t> axes;     ///< number of axes of each dimension
  std::uint64_t elements = 1;        ///< elements that a device holds

  /// Whether a part of the dimension can be cut into `size` pieces.
  [[nodiscard]] bool divides(std::uint64_t size, std::size_t dimension) const {
    return local[dimension] % size == 0;
  }

  std::vector<std::uint64_t> local;  ///< what a device holds of each dimension
};

/// Visits types with given numbers of parts.
template <typename Visit>
struct EachOfShape {
  const std::vector<std::uint64_t>& parts;
  const Mesh& mesh;
  const Visit& visit;

  /// Appends axes to the word in every order that gives dimension `d`, and those behind it, their
  /// number of parts. `so_far` is the number that dimension `d` has already.
  void append(const Word& begun, std::size_t d, std::uint64_t so_far) const {
    if (so_far == parts[d]) {
      if (d + 1 < parts.size()) {
        append(begun + kSeparator, d + 1, 1);
      } else {
        visit(begun);
      }
      return;
    }
    for (std::uint32_t axis = 0; axis < mesh.axes.size(); ++axis) {
      const auto letter = static_cast<char>(axis + 1);
      const std::uint64_t more = so_far * mesh.axes[axis].size;
      if (parts[d] % more != 0 || begun.find(letter) != Word::npos) continue;
      append(begun + letter, d, more);
    }
  }
};

/// Calls visit(word) for all types with that number of parts of each dimension.
template <typename Visit>
void forEachOfShape(const std::vector<std::uint64_t>& parts, const Mesh& mesh, const Visit& visit) {
  EachOfShape<Visit>{parts, mesh, visit}.append({}, 0, 1);
}

}  // namespace ipusim::parallel
