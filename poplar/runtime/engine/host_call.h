// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "poplar/runtime/engine/stream_end.h"
#include "poplar/runtime/graph/graph_state.h"

namespace poplar::detail {

/// The host's side of a host function: memory for its arguments, and what is called.
class HostCall {
 public:
  /// Connects the streams of the arguments, among all of the graph, with memory of this.
  HostCall(const HostFunctionState& function, const GraphState& state,
           std::vector<StreamEnd>& streams);

  [[nodiscard]] const std::string& handle() const { return handle_; }
  void connect(std::shared_ptr<HostCallback> callback) { callback_ = std::move(callback); }
  /// Throws stream_connection_error where nothing is connected.
  void run();

 private:
  std::string handle_;
  std::vector<std::vector<std::byte>> inputs_;
  std::vector<std::vector<std::byte>> outputs_;
  std::shared_ptr<HostCallback> callback_;
};

}  // namespace poplar::detail
