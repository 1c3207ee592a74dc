// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/graph/operand_place.h"

#include <algorithm>

namespace poplar::detail {

namespace {

bool areAlike(const ipusim::Tensor::Piece& a, const ipusim::Tensor::Piece& b) {
  return a.begin == b.begin && a.extent == b.extent && a.stride == b.stride && a.offset == b.offset;
}

bool areMappedAlike(const ipusim::Variable& a, const ipusim::Variable& b) {
  const auto& intervals = a.mapping.intervals();
  const auto& others = b.mapping.intervals();
  return a.elements == b.elements &&
         std::equal(intervals.begin(), intervals.end(), others.begin(), others.end(),
                    [](const auto& left, const auto& right) {
                      return left.begin == right.begin && left.end == right.end &&
                             left.tile == right.tile;
                    });
}

}  // namespace

std::optional<ipusim::VariableId> variableThatLiesAs(const ipusim::Graph& graph,
                                                     const ipusim::Tensor& tensor,
                                                     const ipusim::Tensor& wanted) {
  const auto& pieces = tensor.pieces();
  if (tensor.type() != wanted.type() || tensor.shape() != wanted.shape() ||
      pieces.size() != wanted.pieces().size()) {
    return std::nullopt;
  }
  const ipusim::VariableId id = pieces.front().variable;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    if (pieces[p].variable != id || !areAlike(pieces[p], wanted.pieces()[p])) return std::nullopt;
  }
  const bool is_there =
      areMappedAlike(graph.variable(id), graph.variable(wanted.pieces().front().variable));
  return is_there ? std::optional(id) : std::nullopt;
}

}  // namespace poplar::detail
