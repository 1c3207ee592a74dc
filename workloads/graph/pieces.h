// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ipusim/tensor.h"

// What the operations of a tensor do to one of its pieces. Graphs have millions of pieces: each is
// changed where it is.

namespace ipusim::piece_ops {

using Piece = Tensor::Piece;

/// Whether `piece` has indices in [begin, end) of dimension `dim`.
inline bool meets(const Piece& piece, std::size_t dim, std::uint64_t begin, std::uint64_t end) {
  return std::max(begin, piece.begin[dim]) < std::min(end, piece.begin[dim] + piece.extent[dim]);
}

/// Leaves of `piece` what has indices [begin, end) of dimension `dim`. The piece must have some.
inline void clip(Piece& piece, std::size_t dim, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t low = std::max(begin, piece.begin[dim]);
  const std::uint64_t high = std::min(end, piece.begin[dim] + piece.extent[dim]);
  piece.extent[dim] = high - low;
  piece.offset += VariableElements((low - piece.begin[dim]) * piece.stride[dim]);
  piece.begin[dim] = low;
}

/// Adds the part of `piece` with indices [begin, end) of dimension `dim`. The piece must have some.
inline Piece& addClipped(const Piece& piece, std::size_t dim, std::uint64_t begin,
                         std::uint64_t end, std::vector<Piece>& pieces) {
  Piece& part = pieces.emplace_back(piece);
  clip(part, dim, begin, end);
  return part;
}

template <typename Values>
void replaceDim(Values& values, std::size_t dim, std::uint64_t outer, std::uint64_t inner) {
  values.push_back(inner);
  for (std::size_t d = values.size() - 1; d > dim + 1; --d) values[d] = values[d - 1];
  values[dim] = outer;
  values[dim + 1] = inner;
}

template <typename Values>
void dropDim(Values& values, std::size_t dim) {
  for (std::size_t d = dim; d + 1 < values.size(); ++d) values[d] = values[d + 1];
  values.pop_back();
}

/// Makes of a piece of one dimension, [begin, begin + extent), one of the dimensions (n / inner,
/// inner). `rows` is its outer extent. A piece with rows > 1 must fill whole rows.
inline void splitPiece(Piece& piece, std::size_t dim, std::uint64_t inner, std::uint64_t rows) {
  const std::uint64_t stride = piece.stride[dim];
  replaceDim(piece.begin, dim, piece.begin[dim] / inner, piece.begin[dim] % inner);
  replaceDim(piece.extent, dim, rows, piece.extent[dim] / rows);
  replaceDim(piece.stride, dim, stride * inner, stride);
}

/// Whether a piece of `inner` columns fills whole rows, or lies within one.
inline bool splitsWhole(const Piece& piece, std::size_t dim, std::uint64_t inner) {
  const std::uint64_t column = piece.begin[dim] % inner;
  return column + piece.extent[dim] <= inner || (column == 0 && piece.extent[dim] % inner == 0);
}

/// Makes one dimension of `dim` and the next, which has size `inner`.
inline void mergePiece(Piece& piece, std::size_t dim, std::uint64_t inner) {
  const bool one_inner = piece.extent[dim + 1] == 1;
  piece.begin[dim] = piece.begin[dim] * inner + piece.begin[dim + 1];
  piece.extent[dim] = piece.extent[dim] * piece.extent[dim + 1];
  piece.stride[dim] = one_inner && inner == 1 ? piece.stride[dim] : piece.stride[dim + 1];
  dropDim(piece.begin, dim + 1);
  dropDim(piece.extent, dim + 1);
  dropDim(piece.stride, dim + 1);
}

/// Whether a piece stays one where dimension `dim` and the next, of size `inner`, become one.
inline bool mergesWhole(const Piece& piece, std::size_t dim, std::uint64_t inner) {
  const bool continues = piece.extent[dim + 1] == inner &&
                         (inner == 1 || piece.stride[dim] == piece.stride[dim + 1] * inner);
  return piece.extent[dim] == 1 || continues;
}

/// Where one of two shapes of one element has no dimension, gives the pieces the first
/// dimension, of size 1, or takes all dimensions away.
inline void addOrDropDims(std::vector<Piece>& pieces, Shape& shape, const Shape& wanted) {
  if (shape.empty() && !wanted.empty()) {
    for (Piece& piece : pieces) {
      piece.begin.assign(1, 0);
      piece.extent.assign(1, 1);
      piece.stride.assign(1, 0);
    }
    shape = {1};
  }
  for (; wanted.empty() && !shape.empty(); dropDim(shape, 0)) {
    for (Piece& piece : pieces) {
      dropDim(piece.begin, 0);
      dropDim(piece.extent, 0);
      dropDim(piece.stride, 0);
    }
  }
}

}  // namespace ipusim::piece_ops
