// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "poplar/detail/graph_api.hpp"

namespace poplar {
namespace detail {

/// Adds to a compute set the vertices of this project that compute `out` from `operands`, element
/// by element, where the elements of `out` lie. `lines` name the vertex type and its parameters but
/// the number of elements. An operation in place has `out` as its first operand too, and `operands`
/// has the others.
void addElementwise(GraphData* graph, std::uint32_t compute_set, Text lines,
                    const TensorData* const* operands, std::size_t count, const TensorData* out);

/// Adds to `compute_set` vertices that each reduce `partials` elements of the flattened `in` to one
/// of the flattened `out`: the elements i * partials … of `in` to element i. A vertex runs where
/// its first output lies. `op` is add, square_add, maximum or minimum.
void addReduction(GraphData* graph, std::uint32_t compute_set, Text op, const TensorData* in,
                  std::size_t partials, const TensorData* out);

/// The tile of the first element of a tensor.
unsigned firstTileOf(const GraphData* graph, const TensorData* tensor);

}  // namespace detail
}  // namespace poplar
