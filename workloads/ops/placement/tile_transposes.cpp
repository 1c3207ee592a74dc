// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/placement/tile_transposes.h"

#include <algorithm>

#include "workloads/vertices/movement/data_movement.h"

namespace ipusim::workloads {

using models::TransposeVertex;

void TileTransposes::add(const TileMatrices& matrices, const Tensor& from, const Tensor& to) {
  const TransposeVertex form = models::transposeVertexFor(
      machine_, sizeOf(from.type()), matrices.rows, matrices.columns, matrices.count);
  const std::uint64_t each = matrices.rows * matrices.columns;
  std::uint64_t left = form == TransposeVertex::Transpose2D
                           ? std::min<std::uint64_t>(machine_.workers_per_tile, matrices.count)
                           : 1;
  std::uint64_t first = 0;
  while (left > 0) {
    const std::uint64_t rest = matrices.count - first;
    const std::uint64_t count = rest / left;
    const std::uint64_t equal = rest % left == 0 ? left : left - rest % left;
    const auto field = [&](const Tensor& storage) {
      return Connection{storage.slice(first * each, (first + count) * each, 0).view(),
                        count * each};
    };
    const TransposeVertexShape shape{from.type(), form, matrices.rows, matrices.columns, count};
    const auto& type =
        types_.get({static_cast<std::uint64_t>(form), matrices.rows, matrices.columns, count},
                   [&] { return transposeVertex(shape); });
    graph_.addVertices(
        compute_set_,
        {type, matrices.tile, static_cast<std::uint32_t>(equal), {field(from), field(to)}});
    first += equal * count;
    left -= equal;
  }
}

}  // namespace ipusim::workloads
