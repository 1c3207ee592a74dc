// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/redistribution/type_word.h"

namespace ipusim::parallel {

Word wordOf(const ArrayType& type) {
  Word word;
  for (std::size_t d = 0; d < type.size(); ++d) {
    if (d > 0) word += kSeparator;
    for (const std::uint32_t axis : type[d].axes) word += static_cast<char>(axis + 1);
  }
  return word;
}

ArrayType typeOf(const Word& word, const ArrayType& like) {
  ArrayType type = like;
  for (ArrayDimension& dimension : type) dimension.axes.clear();
  std::size_t d = 0;
  for (const char c : word) {
    if (c == kSeparator) {
      ++d;
    } else {
      type[d].axes.push_back(static_cast<std::uint32_t>(c) - 1);
    }
  }
  return type;
}

WordLayout::WordLayout(const Word& word, const ArrayType& shape, const Mesh& mesh)
    : parts(shape.size(), 1), begins{0}, axes(shape.size(), 0) {
  std::size_t d = 0;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] == kSeparator) {
      ++d;
      begins.push_back(i + 1);
    } else {
      parts[d] *= mesh.axes[static_cast<std::size_t>(word[i]) - 1].size;
      ++axes[d];
    }
  }
  for (d = 0; d < shape.size(); ++d) {
    local.push_back(shape[d].global / parts[d]);
    elements *= local.back();
  }
}

}  // namespace ipusim::parallel
