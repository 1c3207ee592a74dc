// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <ostream>
#include <string>
#include <vector>

#include "poplar/ArrayRef.hpp"
#include "poplar/DebugContext.hpp"
#include "poplar/Interval.hpp"
#include "poplar/TensorCloneMethod.hpp"
#include "poplar/Type.hpp"
#include "poplar/detail/standard.hpp"
#include "poplar/detail/tensor_api.hpp"
#include "poplar/exceptions.hpp"

namespace poplar {

enum class UpsampleMethod { REPEAT };

/// A view of elements of the variables of a graph: a cheap value that holds no elements. A tensor
/// that was made by no graph is invalid, and all but `valid` throws for it. Elements are counted
/// in row-major order.
class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(detail::Handle<detail::TensorData> data) : data_(std::move(data)) {}

  bool valid() const { return static_cast<bool>(data_); }
  Type elementType() const { return Type(detail::typeOf(data())); }
  std::size_t rank() const { return detail::rankOf(data()); }
  std::size_t dim(unsigned i) const { return detail::dimOf(data(), i); }
  std::vector<std::size_t> shape() const {
    std::vector<std::size_t> sizes;
    for (unsigned i = 0; i < rank(); ++i) sizes.push_back(dim(i));
    return sizes;
  }
  std::size_t numElements() const { return detail::elementsOf(data()); }

  Tensor operator[](std::size_t i) const& { return made(detail::indexed(data(), i)); }
  Tensor operator[](const Interval& range) const { return slice(range); }
  Tensor index(ArrayRef<std::size_t> at) const {
    Tensor element = *this;
    for (std::size_t i : at) element = element[i];
    return element;
  }

  Tensor slice(std::size_t begin, std::size_t end, unsigned dimension = 0) const {
    return made(detail::sliced(data(), begin, end, dimension));
  }
  Tensor slice(const Interval& range, unsigned dimension = 0) const {
    return slice(range.begin(), range.end(), dimension);
  }
  Tensor slice(ArrayRef<std::size_t> begin, ArrayRef<std::size_t> end) const {
    if (begin.size() != end.size() || begin.size() > rank()) {
      throw index_error("slice: wanted a begin and an end for each dimension");
    }
    Tensor part = *this;
    for (unsigned d = 0; d < begin.size(); ++d) part = part.slice(begin[d], end[d], d);
    return part;
  }
  Tensor slice(ArrayRef<Interval> ranges) const {
    Tensor part = *this;
    for (unsigned d = 0; d < ranges.size(); ++d) part = part.slice(ranges[d], d);
    return part;
  }
  Tensor slice(ArrayRef<Interval> ranges, ArrayRef<unsigned> dimensions) const {
    if (ranges.size() != dimensions.size()) {
      throw index_error("slice: wanted a dimension for each range");
    }
    Tensor part = *this;
    for (std::size_t i = 0; i < ranges.size(); ++i) part = part.slice(ranges[i], dimensions[i]);
    return part;
  }
  std::vector<Tensor> slices(ArrayRef<Interval> ranges, unsigned dimension = 0) const {
    std::vector<Tensor> parts;
    for (const Interval& range : ranges) parts.push_back(slice(range, dimension));
    return parts;
  }
  std::vector<Tensor> slices(const std::vector<std::vector<Interval>>& ranges,
                             unsigned dimension = 0) const;
  std::vector<Tensor> slices(const std::vector<unsigned>& indices, unsigned dimension = 0) const {
    std::vector<Tensor> parts;
    for (unsigned i : indices) parts.push_back(slice(i, i + std::size_t(1), dimension));
    return parts;
  }

  Tensor flatten() const { return reshape(ArrayRef<std::size_t>({numElements()})); }
  /// Joins the dimensions [begin, end) to one.
  Tensor flatten(unsigned begin, unsigned end) const;
  Tensor reshape(ArrayRef<std::size_t> shape) const {
    return made(detail::reshaped(data(), shape.data(), shape.size()));
  }
  Tensor reshapePartial(unsigned begin, unsigned end, ArrayRef<std::size_t> shape) const;
  /// Puts a dimension of size 1 before each of these dimensions.
  Tensor expand(ArrayRef<std::size_t> positions) const;
  /// Drops these dimensions, whose size must be 1.
  Tensor squeeze(ArrayRef<std::size_t> dimensions) const;
  Tensor dimShuffle(ArrayRef<unsigned> order) const {
    return made(detail::shuffled(data(), order.data(), order.size()));
  }
  /// Moves these dimensions to these places; the others keep their order.
  Tensor dimShufflePartial(ArrayRef<unsigned> source, ArrayRef<unsigned> destination) const;
  Tensor dimRoll(unsigned dimension, unsigned to = 0) const {
    return dimShufflePartial({dimension}, {to});
  }
  Tensor transpose() const {
    std::vector<unsigned> order;
    for (unsigned d = static_cast<unsigned>(rank()); d-- > 0;) order.push_back(d);
    return dimShuffle(order);
  }
  /// Repeats the tensor along a dimension. The elements exist once.
  Tensor broadcast(unsigned count, unsigned dimension) const {
    return made(detail::repeatedAlong(data(), count, dimension));
  }
  Tensor subSample(unsigned stride, unsigned dimension) const {
    return made(detail::subSampled(data(), stride, dimension));
  }
  /// Repeats each index of a dimension.
  Tensor upsample(unsigned count, unsigned dimension,
                  UpsampleMethod method = UpsampleMethod::REPEAT) const;
  Tensor reverse(unsigned dimension) const { return made(detail::reversed(data(), dimension)); }
  Tensor reinterpret(const Type& type) const {
    return made(detail::reinterpreted(data(), type.id()));
  }

  bool isContiguous() const { return getContiguousRegions().size() <= 1; }
  bool containsAliases() const { return detail::hasAliases(data()); }
  bool containsConstant() const { return detail::hasConstant(data()); }
  bool isParallelWriteable() const { return !containsAliases() && !containsConstant(); }
  /// The elements as ranges of the flattened tensor that follow one another in their variable.
  std::vector<Interval> getContiguousRegions() const {
    std::vector<Interval> regions;
    detail::contiguousRegions(data(), &regions, [](void* to, std::size_t begin, std::size_t end) {
      static_cast<std::vector<Interval>*>(to)->emplace_back(begin, end);
    });
    return regions;
  }
  std::string shapeToString() const;
  void dump(std::ostream& out = std::cout) const;
  std::string getDebugStr() const;

  friend bool operator==(const Tensor& a, const Tensor& b) {
    return detail::areEqual(a.data_.get(), b.data_.get());
  }
  friend bool operator!=(const Tensor& a, const Tensor& b) { return !(a == b); }

  /// The object of the library. Throws for an invalid tensor.
  const detail::TensorData* data() const {
    if (!data_) throw poplar_error("tensor: wanted one that a graph made, found an empty one");
    return data_.get();
  }

 private:
  static Tensor made(detail::TensorData* data) {
    return Tensor(detail::Handle<detail::TensorData>(data));
  }

  detail::Handle<detail::TensorData> data_;
};

namespace detail {
inline std::vector<const TensorData*> dataOf(ArrayRef<Tensor> tensors) {
  std::vector<const TensorData*> all;
  for (const Tensor& tensor : tensors) all.push_back(tensor.data());
  return all;
}
}  // namespace detail

/// Writes the shape.
inline std::ostream& operator<<(std::ostream& out, const Tensor& tensor) {
  return out << tensor.shapeToString();
}

/// Joins tensors along a dimension; their other dimensions and types must agree.
inline Tensor concat(ArrayRef<Tensor> parts, unsigned dimension = 0) {
  const std::vector<const detail::TensorData*> all = detail::dataOf(parts);
  return Tensor(
      detail::Handle<detail::TensorData>(detail::joined(all.data(), all.size(), dimension)));
}
inline Tensor concat(const Tensor& first, const Tensor& second, unsigned dimension = 0) {
  return concat(ArrayRef<Tensor>({first, second}), dimension);
}
/// Joins `tensor` and `next`, which lacks that dimension.
inline Tensor append(const Tensor& tensor, const Tensor& next, unsigned dimension = 0) {
  return concat(tensor, next.expand({dimension}), dimension);
}

}  // namespace poplar

#include "poplar/detail/tensor_shapes.hpp"
