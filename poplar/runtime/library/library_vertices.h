// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "poplar/runtime/graph/graph_state.h"

namespace poplar::detail {

/// A new vertex of a codelet that the library wrote.
class LibraryCodelet {
 public:
  /// `tile` is one of the device. The state must outlive this.
  LibraryCodelet(GraphState& state, std::uint32_t compute_set, const std::string& type,
                 std::uint32_t tile);

  void connect(const std::string& field, Ref<TensorData> tensor);
  /// The rows of a field of rows.
  void connect(const std::string& field, std::vector<Ref<TensorData>> rows);
  void set(const std::string& field, std::uint32_t value);

 private:
  Vertex& vertex() { return state_.vertices[number_]; }

  GraphState& state_;
  std::size_t number_;
};

}  // namespace poplar::detail
