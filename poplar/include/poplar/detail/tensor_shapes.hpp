// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "poplar/Tensor.hpp"

// Members of Tensor that only give it another shape or tell of it.

namespace poplar {

inline Tensor Tensor::reshapePartial(unsigned begin, unsigned end,
                                     ArrayRef<std::size_t> shape) const {
  if (begin > end || end > rank()) {
    throw index_error("reshapePartial: wanted dimensions of " + shapeToString());
  }
  std::vector<std::size_t> sizes;
  for (unsigned d = 0; d < begin; ++d) sizes.push_back(dim(d));
  sizes.insert(sizes.end(), shape.begin(), shape.end());
  for (unsigned d = end; d < rank(); ++d) sizes.push_back(dim(d));
  return reshape(sizes);
}

inline Tensor Tensor::flatten(unsigned begin, unsigned end) const {
  std::size_t joined = 1;
  for (unsigned d = begin; d < end && d < rank(); ++d) joined *= dim(d);
  return reshapePartial(begin, end, {joined});
}

inline Tensor Tensor::expand(ArrayRef<std::size_t> positions) const {
  std::vector<std::size_t> before(rank() + 1, 0);
  for (std::size_t position : positions) {
    if (position > rank()) throw index_error("expand: wanted places in " + shapeToString());
    ++before[position];
  }
  std::vector<std::size_t> sizes;
  for (unsigned d = 0; d <= rank(); ++d) {
    sizes.insert(sizes.end(), before[d], 1);
    if (d < rank()) sizes.push_back(dim(d));
  }
  return reshape(sizes);
}

inline Tensor Tensor::squeeze(ArrayRef<std::size_t> dimensions) const {
  std::vector<std::size_t> sizes;
  for (unsigned d = 0; d < rank(); ++d) {
    if (std::find(dimensions.begin(), dimensions.end(), d) == dimensions.end()) {
      sizes.push_back(dim(d));
    } else if (dim(d) != 1) {
      throw index_error("squeeze: wanted dimensions of size 1, found " + shapeToString());
    }
  }
  return reshape(sizes);
}

inline Tensor Tensor::dimShufflePartial(ArrayRef<unsigned> source,
                                        ArrayRef<unsigned> destination) const {
  const unsigned none = ~0U;
  std::vector<unsigned> order(rank(), none);
  if (source.size() != destination.size()) {
    throw index_error("dimShufflePartial: wanted a place for each dimension");
  }
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] >= rank() || destination[i] >= rank() || order[destination[i]] != none) {
      throw index_error("dimShufflePartial: wanted dimensions of " + shapeToString() +
                        ", each once");
    }
    order[destination[i]] = source[i];
  }
  unsigned next = 0;
  for (unsigned& place : order) {
    if (place != none) continue;
    while (std::find(source.begin(), source.end(), next) != source.end()) ++next;
    place = next++;
  }
  return dimShuffle(order);
}

inline Tensor Tensor::upsample(unsigned count, unsigned dimension, UpsampleMethod) const {
  if (dimension >= rank()) throw index_error("upsample: wanted a dimension of " + shapeToString());
  std::vector<std::size_t> sizes = shape();
  sizes[dimension] *= count;
  return expand({dimension + std::size_t(1)}).broadcast(count, dimension + 1).reshape(sizes);
}

inline std::vector<Tensor> Tensor::slices(const std::vector<std::vector<Interval>>& ranges,
                                          unsigned dimension) const {
  std::vector<Tensor> parts;
  for (const std::vector<Interval>& group : ranges) {
    const std::vector<Tensor> pieces = slices(ArrayRef<Interval>(group), dimension);
    parts.push_back(pieces.empty() ? slice(0, 0, dimension) : concat(pieces, dimension));
  }
  return parts;
}

inline std::string Tensor::shapeToString() const {
  std::string text = "{";
  for (std::size_t size : shape()) {
    if (text.size() > 1) text += ",";
    text += std::to_string(size);
  }
  return text + "}";
}

inline std::string Tensor::getDebugStr() const {
  std::string name;
  detail::nameOf(data(), detail::sinkTo(name));
  return name;
}

inline void Tensor::dump(std::ostream& out) const {
  out << getDebugStr() << shapeToString() << " " << elementType() << "\n";
}

}  // namespace poplar
