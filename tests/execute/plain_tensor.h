// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "ipusim/tensor.h"

namespace ipusim::executor {

/// An element of a variable.
struct Place {
  VariableId variable;
  std::uint64_t element;
};

/// A tensor as the plain list of its elements in row-major order. Every operation visits all of
/// them, index by index.
struct PlainTensor {
  Shape shape;
  std::vector<Place> places;

  [[nodiscard]] PlainTensor slice(std::uint64_t begin, std::uint64_t end, std::size_t dim) const;
  [[nodiscard]] PlainTensor dimShuffle(const std::vector<std::size_t>& order) const;
  [[nodiscard]] PlainTensor reshape(const Shape& to) const { return {to, places}; }
  [[nodiscard]] PlainTensor broadcast(std::uint64_t count, std::size_t dim) const;

  [[nodiscard]] const Place& at(const Shape& index) const {
    std::uint64_t flat = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) flat = flat * shape[d] + index[d];
    return places[flat];
  }
};

/// A tensor of that shape whose element at each index is `place(index)`.
template <typename PlaceOf>
PlainTensor plainTensor(const Shape& shape, const PlaceOf& place) {
  PlainTensor tensor{shape, {}};
  Shape index(shape.size(), 0);
  for (std::uint64_t i = 0; i < elementsOf(shape); ++i) {
    tensor.places.push_back(place(index));
    for (std::size_t d = shape.size(); d-- > 0;) {
      if (++index[d] < shape[d]) break;
      index[d] = 0;
    }
  }
  return tensor;
}

inline PlainTensor PlainTensor::slice(std::uint64_t begin, std::uint64_t end,
                                      std::size_t dim) const {
  Shape result = shape;
  result[dim] = end - begin;
  return plainTensor(result, [&](Shape index) {
    index[dim] += begin;
    return at(index);
  });
}

inline PlainTensor PlainTensor::dimShuffle(const std::vector<std::size_t>& order) const {
  Shape result;
  for (const std::size_t d : order) result.push_back(shape[d]);
  return plainTensor(result, [&](const Shape& index) {
    Shape from(index.size());
    for (std::size_t d = 0; d < order.size(); ++d) from[order[d]] = index[d];
    return at(from);
  });
}

inline PlainTensor PlainTensor::broadcast(std::uint64_t count, std::size_t dim) const {
  Shape result = shape;
  result[dim] = count;
  return plainTensor(result, [&](Shape index) {
    index[dim] = 0;
    return at(index);
  });
}

inline PlainTensor concat(const PlainTensor& first, const PlainTensor& second, std::size_t dim) {
  Shape result = first.shape;
  result[dim] += second.shape[dim];
  return plainTensor(result, [&](Shape index) {
    if (index[dim] < first.shape[dim]) return first.at(index);
    index[dim] -= first.shape[dim];
    return second.at(index);
  });
}

}  // namespace ipusim::executor
