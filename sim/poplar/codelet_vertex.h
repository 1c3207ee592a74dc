// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "sim/poplar/executable_data.h"

namespace poplar::detail {

/// A codelet with the data of its edges. The constants of its edges are new variables.
struct BoundCodelet {
  std::shared_ptr<const ipusim::VertexType> type;
  std::vector<ipusim::View> views;  ///< one per edge field
};

/// Throws graph_connection_error for a field that has no data.
BoundCodelet bindCodelet(const GraphState& state, const Vertex& vertex, ExecutableData& data);

/// Bytes of the tables of a vertex's rows.
std::uint32_t tableBytes(const ipusim::codelets::Field& field, std::size_t rows);
/// How many rows the settings give a field of rows.
std::vector<const TensorData*> rowsOf(const Vertex& vertex, const ipusim::codelets::Field& field);

}  // namespace poplar::detail
