// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "ipusim/error.h"
#include "ipusim/tensor.h"
#include "ipusim/units.h"
#include "workloads/graph/pieces.h"

// Tensor::reshape(): dimensions are split and merged until the shape is the wanted one.

namespace ipusim {

namespace {

using piece_ops::addClipped;
using piece_ops::addOrDropDims;
using piece_ops::dropDim;
using piece_ops::mergePiece;
using piece_ops::mergesWhole;
using piece_ops::Piece;
using piece_ops::replaceDim;
using piece_ops::splitPiece;
using piece_ops::splitsWhole;

}  // namespace

Tensor Tensor::splitDim(std::size_t dim, std::uint64_t inner) const {
  Tensor result;
  result.shape_ = shape_;
  result.type_ = type_;
  replaceDim(result.shape_, dim, shape_[dim] / inner, inner);
  result.pieces_.reserve(pieces_.size());
  for (const Piece& piece : pieces_) {
    const std::uint64_t begin = piece.begin[dim];
    const std::uint64_t end = begin + piece.extent[dim];
    const std::uint64_t body_begin = std::min(end, roundUp(begin, inner));
    const std::uint64_t body_end = std::max(body_begin, end / inner * inner);
    const auto append = [&](std::uint64_t low, std::uint64_t high, std::uint64_t rows) {
      if (low == high) return;
      splitPiece(addClipped(piece, dim, low, high, result.pieces_), dim, inner, rows);
    };
    append(begin, body_begin, 1);
    append(body_begin, body_end, std::max<std::uint64_t>(1, (body_end - body_begin) / inner));
    append(body_end, end, 1);
  }
  return result;
}

Tensor Tensor::mergeDims(std::size_t dim) const {
  const std::uint64_t inner = shape_[dim + 1];
  Tensor result;
  result.shape_ = shape_;
  result.type_ = type_;
  result.shape_[dim] *= inner;
  dropDim(result.shape_, dim + 1);
  result.pieces_.reserve(pieces_.size());
  for (const Piece& piece : pieces_) {
    if (mergesWhole(piece, dim, inner)) {
      mergePiece(result.pieces_.emplace_back(piece), dim, inner);
      continue;
    }
    for (std::uint64_t i = 0; i < piece.extent[dim]; ++i) {
      const std::uint64_t index = piece.begin[dim] + i;
      mergePiece(addClipped(piece, dim, index, index + 1, result.pieces_), dim, inner);
    }
  }
  return result;
}

namespace {

// Most pieces stay one piece, and are changed where they are. Where one of them does not, these
// functions do nothing and return false.

bool splitWhole(std::vector<Piece>& pieces, Shape& shape, std::size_t dim, std::uint64_t inner) {
  for (const Piece& piece : pieces) {
    if (!splitsWhole(piece, dim, inner)) return false;
  }
  for (Piece& piece : pieces) {
    splitPiece(piece, dim, inner, std::max<std::uint64_t>(1, piece.extent[dim] / inner));
  }
  replaceDim(shape, dim, shape[dim] / inner, inner);
  return true;
}

bool mergeWhole(std::vector<Piece>& pieces, Shape& shape, std::size_t dim) {
  const std::uint64_t inner = shape[dim + 1];
  for (const Piece& piece : pieces) {
    if (!mergesWhole(piece, dim, inner)) return false;
  }
  for (Piece& piece : pieces) mergePiece(piece, dim, inner);
  shape[dim] *= inner;
  dropDim(shape, dim + 1);
  return true;
}

/// A piece that is all of a tensor of one dimension, as all of one of `shape`.
Piece shapedPiece(const Piece& piece, const Shape& shape) {
  Piece shaped;
  shaped.begin.assign(shape.size(), 0);
  shaped.extent.assign(shape.begin(), shape.end());
  shaped.stride.assign(shape.size(), 0);
  shaped.variable = piece.variable;
  shaped.offset = piece.offset;
  std::uint64_t stride = piece.stride.front();
  for (std::size_t d = shape.size(); d-- > 0;) {
    shaped.stride[d] = stride;
    stride *= shape[d];
  }
  return shaped;
}

}  // namespace

Tensor Tensor::reshape(const Shape& shape) const {
  if (elementsOf(shape) != elements()) {
    throw GraphError(fmt::format("reshape of a tensor {}: wanted {} elements, found {}",
                                 textOf(shape_), elements(), textOf(shape)));
  }
  Tensor result;
  result.type_ = type_;
  if (shape_.size() == 1 && pieces_.size() == 1) {
    result.shape_ = shape;
    result.pieces_.push_back(shapedPiece(pieces_.front(), shape));
    return result;
  }
  result = *this;
  if (elements() == 0) {
    result.shape_ = shape;
    return result;
  }
  addOrDropDims(result.pieces_, result.shape_, shape);
  const auto split = [&result](std::size_t dim, std::uint64_t inner) {
    if (splitWhole(result.pieces_, result.shape_, dim, inner)) return;
    result = result.splitDim(dim, inner);
  };
  const auto merge = [&result](std::size_t dim) {
    if (!mergeWhole(result.pieces_, result.shape_, dim)) result = result.mergeDims(dim);
  };
  std::size_t dim = 0;
  while (dim < shape.size() || dim < result.shape_.size()) {
    if (dim >= result.shape_.size()) {  // only sizes of 1 are left to add
      split(dim - 1, 1);
    } else if (dim >= shape.size()) {
      merge(dim - 1);
      --dim;
    } else if (result.shape_[dim] % shape[dim] != 0) {
      merge(dim);
      continue;
    } else if (result.shape_[dim] != shape[dim]) {
      split(dim, result.shape_[dim] / shape[dim]);
    }
    ++dim;
  }
  return result;
}

}  // namespace ipusim
