// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/graph/tensor_pieces.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "ipusim/error.h"

namespace poplar::detail {

using ipusim::ElementType;
using ipusim::Shape;
using ipusim::Tensor;

namespace {

using Pieces = std::vector<Tensor::Piece>;

/// A tensor without pieces; one of its dimensions has the size 0.
Tensor emptyOf(ElementType type, const Shape& shape) {
  Shape full = shape;
  for (std::uint64_t& size : full) size = std::max<std::uint64_t>(size, 1);
  Tensor tensor(ipusim::VariableId{}, type, full);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 0) tensor = tensor.slice(0, 0, d);
  }
  return tensor;
}

Tensor tensorOf(ElementType type, const Tensor::Piece& piece) {
  ipusim::Section section{piece.variable, {}};
  section.walk.begin = piece.offset;
  for (std::size_t d = 0; d < piece.extent.size(); ++d) {
    section.walk.levels.push_back({piece.extent[d], ipusim::VariableElements(piece.stride[d])});
  }
  return {section, type};
}

/// The pieces in groups that follow each other along `dim`, as many groups as there can be.
std::vector<Pieces> slabs(Pieces& pieces, std::size_t dim) {
  const auto end_of = [dim](const Tensor::Piece& piece) {
    return piece.begin[dim] + piece.extent[dim];
  };
  std::stable_sort(pieces.begin(), pieces.end(), [&](const auto& a, const auto& b) {
    return std::pair(a.begin[dim], end_of(a)) < std::pair(b.begin[dim], end_of(b));
  });
  std::vector<Pieces> groups;
  std::uint64_t end = 0;
  for (const Tensor::Piece& piece : pieces) {
    const bool is_inside = !groups.empty() && piece.begin[dim] < end;
    const bool is_beside = !groups.empty() && piece.begin[dim] == groups.back().front().begin[dim];
    if (!is_inside && !(is_beside && end == end_of(piece))) groups.emplace_back();
    groups.back().push_back(piece);
    end = std::max(end, end_of(piece));
  }
  return groups;
}

/// Cuts of cuts: more than views have, and few enough for the stack.
constexpr std::size_t kDeepest = 1000;

Tensor joined(ElementType type, Pieces pieces, std::size_t depth) {
  if (pieces.size() == 1) return tensorOf(type, pieces.front());
  for (std::size_t d = 0; d < pieces.front().begin.size(); ++d) {
    std::vector<Pieces> groups = slabs(pieces, d);
    if (groups.size() == 1 || depth == kDeepest) continue;
    std::vector<Tensor> parts;
    std::transform(groups.begin(), groups.end(), std::back_inserter(parts),
                   [&](Pieces& group) { return joined(type, std::move(group), depth + 1); });
    return ipusim::concat(parts, d);
  }
  throw ipusim::InternalError("a tensor whose pieces cannot be joined along its dimensions");
}

}  // namespace

Tensor tensorOf(ElementType type, const Shape& shape, Pieces pieces) {
  Tensor tensor = pieces.empty() ? emptyOf(type, shape) : joined(type, std::move(pieces), 0);
  ipusim::check(tensor.shape() == shape, "pieces that fill their tensor");
  return tensor;
}

}  // namespace poplar::detail
