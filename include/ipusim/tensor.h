// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "ipusim/element_type.h"
#include "ipusim/section.h"

namespace ipusim {

using Shape = std::vector<std::uint64_t>;

std::uint64_t elementsOf(const Shape& shape);

/// A shape as text, such as "(4, 16)".
std::string textOf(const Shape& shape);

/// A view of variables: slicing, reshaping, shuffling, joining and broadcasting copy no elements. A
/// tensor is a box of elements that is cut into pieces. Each piece walks one variable with one
/// stride per dimension. The cost of an operation grows with the pieces, not with the elements.
/// Member functions throw GraphError for ranges and shapes that do not match the tensor.
class Tensor {
 public:
  /// One number per dimension. A few are stored without an allocation, because graphs have
  /// millions of pieces.
  using Dims = boost::container::small_vector<std::uint64_t, 8>;

  struct Piece {
    Dims begin;   ///< index of the piece's first element in the tensor
    Dims extent;  ///< size of the piece
    Dims stride;  ///< distance between neighbours, in elements of the variable
    VariableId variable;
    VariableElements offset;  ///< place of the piece's first element
  };

  Tensor() = default;
  /// The whole of a variable of that shape, row-major.
  Tensor(VariableId variable, ElementType type, const Shape& shape);

  /// The elements of a section, with one dimension per level.
  Tensor(const Section& section, ElementType type);

  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] ElementType type() const { return type_; }
  [[nodiscard]] std::uint64_t elements() const { return elementsOf(shape_); }
  [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }

  /// Indices [begin, end) of dimension `dim`.
  [[nodiscard]] Tensor slice(std::uint64_t begin, std::uint64_t end, std::size_t dim) const;
  /// Dimension d of the result is dimension order[d] of this.
  [[nodiscard]] Tensor dimShuffle(const std::vector<std::size_t>& order) const;
  /// The elements in row-major order, under another shape.
  [[nodiscard]] Tensor reshape(const Shape& shape) const;
  /// Repeats dimension `dim`, which must have size 1, `count` times.
  [[nodiscard]] Tensor broadcast(std::uint64_t count, std::size_t dim) const;

  /// The elements of `variable` at the indices that this tensor has in its own variable. This
  /// tensor must view one variable only.
  [[nodiscard]] Tensor inVariable(VariableId variable) const;

  /// The elements in row-major order, as sections.
  [[nodiscard]] View view() const;
  /// Elements [begin, end) of the row-major order: at most a few boxes per dimension. Merging the
  /// dimensions of a broadcast or shuffled tensor would instead make one piece per row.
  [[nodiscard]] View flatView(std::uint64_t begin, std::uint64_t end) const;

 private:
  [[nodiscard]] Tensor splitDim(std::size_t dim, std::uint64_t inner) const;
  [[nodiscard]] Tensor mergeDims(std::size_t dim) const;
  void appendRange(std::size_t dim, std::uint64_t begin, std::uint64_t end, View& view) const;

  friend Tensor concat(const std::vector<Tensor>& parts, std::size_t dim);

  Shape shape_;
  ElementType type_ = ElementType::Float;
  std::vector<Piece> pieces_;
};

/// The elements of a view, one after the other.
Tensor flatTensor(const View& view, ElementType type);

/// Joins the parts along dimension `dim`; their other dimensions must agree.
Tensor concat(const std::vector<Tensor>& parts, std::size_t dim);

}  // namespace ipusim
