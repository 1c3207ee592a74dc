// SPDX-License-Identifier: Apache-2.0
#include "ipusim/tensor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <type_traits>

#include "ipusim/error.h"
#include "ipusim/units.h"
#include "workloads/graph/piece_sweep.h"
#include "workloads/graph/pieces.h"

namespace ipusim {

namespace {

using piece_ops::addClipped;
using piece_ops::clip;
using piece_ops::meets;
using piece_ops::Piece;
using piece_ops::PieceSweep;

Section sectionOf(const Piece& piece) {
  Section section{piece.variable, {piece.offset}};
  for (std::size_t d = 0; d < piece.extent.size(); ++d) {
    section.walk.addInside({piece.extent[d], VariableElements(piece.stride[d])});
  }
  return section;
}

/// Appends the row-major sections of the pieces, which fill one box, from dimension `dim` inward.
void appendSections(const std::vector<Piece>& pieces, std::size_t dim, View& view) {
  if (pieces.size() == 1) {
    view.push_back(sectionOf(pieces.front()));
    return;
  }
  std::set<std::uint64_t> cuts;
  for (const Piece& piece : pieces) {
    cuts.insert(piece.begin[dim]);
    cuts.insert(piece.begin[dim] + piece.extent[dim]);
  }
  PieceSweep sweep(pieces, dim);
  for (auto low = cuts.begin(), high = std::next(low); high != cuts.end(); ++low, ++high) {
    std::vector<Piece> inside;
    for (const std::size_t piece : sweep.advance(*low)) {
      addClipped(pieces[piece], dim, *low, *high, inside);
    }
    if (inside.size() == 1) {
      view.push_back(sectionOf(inside.front()));
      continue;
    }
    for (std::uint64_t index = *low; index < *high; ++index) {
      std::vector<Piece> row;
      row.reserve(inside.size());
      for (const Piece& piece : inside) addClipped(piece, dim, index, index + 1, row);
      appendSections(row, dim + 1, view);
    }
  }
}

}  // namespace

std::uint64_t elementsOf(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::uint64_t{1},
                         checkedProduct<std::uint64_t>);
}

Tensor::Tensor(VariableId variable, ElementType type, const Shape& shape)
    : shape_(shape), type_(type) {
  Piece piece{
      Dims(shape.size(), 0), Dims(shape.begin(), shape.end()), Dims(shape.size(), 1), variable, {}};
  for (std::size_t d = shape.size(); d-- > 1;) {
    piece.stride[d - 1] = piece.stride[d] * shape[d];
  }
  pieces_.push_back(std::move(piece));
}

Tensor::Tensor(const Section& section, ElementType type) : type_(type) {
  Piece whole{{}, {}, {}, section.variable, section.walk.begin};
  for (const auto& level : section.walk.levels) {
    shape_.push_back(level.count);
    whole.stride.push_back(level.stride.value());
  }
  if (shape_.empty()) {
    shape_ = {1};
    whole.stride.assign(1, 1);
  }
  whole.begin.assign(shape_.size(), 0);
  whole.extent.assign(shape_.begin(), shape_.end());
  pieces_ = {std::move(whole)};
}

namespace {

bool isPermutation(std::vector<std::size_t> order, std::size_t size) {
  std::sort(order.begin(), order.end());
  for (std::size_t d = 0; d < order.size(); ++d) {
    if (order[d] != d) return false;
  }
  return order.size() == size;
}

}  // namespace

std::string textOf(const Shape& shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

Tensor Tensor::slice(std::uint64_t begin, std::uint64_t end, std::size_t dim) const {
  if (dim >= shape_.size() || begin > end || end > shape_[dim]) {
    throw GraphError(
        fmt::format("slice of a tensor {}: wanted a range of it, found [{}, {}) of dimension {}",
                    textOf(shape_), begin, end, dim));
  }
  Tensor result;
  result.shape_ = shape_;
  result.shape_[dim] = end - begin;
  result.type_ = type_;
  const auto are_inside = [&](const Piece& piece) { return meets(piece, dim, begin, end); };
  result.pieces_.reserve(
      static_cast<std::size_t>(std::count_if(pieces_.begin(), pieces_.end(), are_inside)));
  for (const Piece& piece : pieces_) {
    if (are_inside(piece)) {
      addClipped(piece, dim, begin, end, result.pieces_).begin[dim] -= begin;
    }
  }
  return result;
}

Tensor Tensor::dimShuffle(const std::vector<std::size_t>& order) const {
  if (!isPermutation(order, shape_.size())) {
    throw GraphError(fmt::format("dimShuffle of a tensor {}: wanted each dimension once, found {}",
                                 textOf(shape_), fmt::join(order, ", ")));
  }
  const auto shuffle = [&order](const auto& values, auto& shuffled) {
    shuffled.resize(order.size());
    for (std::size_t d = 0; d < order.size(); ++d) shuffled[d] = values[order[d]];
  };
  Tensor result;
  shuffle(shape_, result.shape_);
  result.type_ = type_;
  result.pieces_.resize(pieces_.size());
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    const Piece& piece = pieces_[p];
    Piece& shuffled = result.pieces_[p];
    shuffle(piece.begin, shuffled.begin);
    shuffle(piece.extent, shuffled.extent);
    shuffle(piece.stride, shuffled.stride);
    shuffled.variable = piece.variable;
    shuffled.offset = piece.offset;
  }
  return result;
}

Tensor Tensor::broadcast(std::uint64_t count, std::size_t dim) const {
  if (dim >= shape_.size() || shape_[dim] != 1) {
    throw GraphError(fmt::format("broadcast of a tensor {}: wanted a dimension of size 1, found {}",
                                 textOf(shape_), dim));
  }
  Tensor result = *this;
  result.shape_[dim] = count;
  for (Piece& piece : result.pieces_) {
    piece.extent[dim] = count;
    piece.stride[dim] = 0;
  }
  return result;
}

Tensor Tensor::inVariable(VariableId variable) const {
  Tensor other = *this;
  for (Piece& piece : other.pieces_) {
    check(piece.variable == pieces_.front().variable, "places of one variable");
    piece.variable = variable;
  }
  return other;
}

View Tensor::view() const {
  View view;
  if (!pieces_.empty()) appendSections(pieces_, 0, view);
  return view;
}

/// Adds elements [begin, end). The dimensions before `dim` must have size 1.
void Tensor::appendRange(std::size_t dim, std::uint64_t begin, std::uint64_t end,
                         View& view) const {
  if (begin == end) return;
  if (begin == 0 && end == elements()) {
    appendSections(pieces_, 0, view);
    return;
  }
  const std::uint64_t inner = elements() / shape_[dim];
  const auto append_part = [&](std::uint64_t index, std::uint64_t from, std::uint64_t to) {
    slice(index, index + 1, dim).appendRange(dim + 1, from, to, view);
  };
  const std::uint64_t first_whole = ceilDiv(begin, inner);
  const std::uint64_t end_whole = end / inner;
  if (end_whole < first_whole) {
    append_part(end_whole, begin - end_whole * inner, end - end_whole * inner);
    return;
  }
  if (begin % inner != 0) append_part(first_whole - 1, begin % inner, inner);
  if (first_whole < end_whole) {
    appendSections(slice(first_whole, end_whole, dim).pieces_, 0, view);
  }
  if (end % inner != 0) append_part(end_whole, 0, end % inner);
}

View Tensor::flatView(std::uint64_t begin, std::uint64_t end) const {
  if (begin > end || end > elements()) {
    throw GraphError(
        fmt::format("view of a tensor {}: wanted a range of its elements, found [{}, {})",
                    textOf(shape_), begin, end));
  }
  View view;
  if (shape_.size() == 1 && pieces_.size() == 1) {
    const Piece& piece = pieces_.front();
    if (meets(piece, 0, begin, end)) {
      Piece part = piece;
      clip(part, 0, begin, end);
      view.push_back(sectionOf(part));
    }
  } else {
    appendRange(0, begin, end, view);
  }
  return view;
}

namespace {

/// Throws GraphError unless the shapes agree in all dimensions but `dim`.
void expectToFit(Shape one, Shape other, std::size_t dim) {
  const Shape first = one;
  const Shape second = other;
  if (dim < one.size() && one.size() == other.size()) {
    one[dim] = other[dim] = 0;
    if (one == other) return;
  }
  throw GraphError(fmt::format(
      "concat along dimension {}: wanted tensors that agree in all others, found {} and {}", dim,
      textOf(first), textOf(second)));
}

}  // namespace

Tensor concat(const std::vector<Tensor>& parts, std::size_t dim) {
  if (parts.empty()) throw GraphError("concat: wanted at least one tensor, found none");
  Tensor result;
  result.shape_ = parts.front().shape_;
  result.type_ = parts.front().type_;
  std::size_t pieces = 0;
  for (const Tensor& part : parts) pieces += part.pieces_.size();
  result.pieces_.reserve(pieces);
  const std::vector<Piece>& first = parts.front().pieces_;
  result.pieces_.insert(result.pieces_.end(), first.begin(), first.end());
  for (std::size_t p = 1; p < parts.size(); ++p) {
    expectToFit(result.shape_, parts[p].shape_, dim);
    for (const Piece& piece : parts[p].pieces_) {
      result.pieces_.emplace_back(piece).begin[dim] += result.shape_[dim];
    }
    result.shape_[dim] += parts[p].shape_[dim];
  }
  return result;
}

Tensor flatTensor(const View& view, ElementType type) {
  std::vector<Tensor> parts;
  parts.reserve(view.size());
  for (const Section& section : view) {
    parts.push_back(Tensor(section, type).reshape({section.elements()}));
  }
  return concat(parts, 0);
}

}  // namespace ipusim
