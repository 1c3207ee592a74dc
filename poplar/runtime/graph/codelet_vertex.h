// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "poplar/runtime/saved/executable_data.h"

namespace poplar::detail {

/// A codelet with the data of its edges. The constants of its edges are new variables.
struct BoundCodelet {
  std::shared_ptr<const ipusim::VertexType> type;
  std::vector<ipusim::View> views;        ///< one per edge field
  std::vector<ipusim::EdgeGroups> edges;  ///< one per edge field, in elements of the codelet
};

/// An address and a size for each row of a field of rows.
constexpr std::uint64_t kRowBytes = 8;

/// Throws graph_connection_error for a field that has no data.
BoundCodelet bindCodelet(const GraphState& state, const Vertex& vertex, ExecutableData& data);

}  // namespace poplar::detail
