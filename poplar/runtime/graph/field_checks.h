// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "poplar/runtime/graph/graph_state.h"

namespace poplar::detail {

/// Throws unknown_field for a field that the codelet of `vertex` lacks.
const ipusim::codelets::Field& fieldOf(const GraphState& state, const Vertex& vertex,
                                       const std::string& name);

inline bool hasRows(const ipusim::codelets::Field& field) {
  return field.shape == ipusim::codelets::FieldShape::VectorList;
}

/// Throws graph_connection_error for a tensor that has too many dimensions for the field, or for
/// one of its rows, and for more than one element on a scalar.
void checkShape(const Vertex& vertex, const ipusim::codelets::Field& field,
                const TensorData& tensor, std::uint64_t row);

/// Throws a poplar_error unless the field of a codelet takes what the setting says: an edge its
/// tensors, a member its values, an array a size that a tile has room for.
void checkSetting(const GraphState& state, const Vertex& vertex, const FieldSetting& setting);

}  // namespace poplar::detail
