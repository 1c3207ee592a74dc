// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/engine/host_call.h"

#include <fmt/format.h>

#include <algorithm>

#include "poplar/exceptions.hpp"
#include "poplar/runtime/graph/element_bytes.h"

namespace poplar::detail {

HostCall::HostCall(const HostFunctionState& function, const GraphState& state,
                   std::vector<StreamEnd>& streams)
    : handle_(function.handle), inputs_(function.inputs), outputs_(function.outputs) {
  std::uint32_t stream = function.first_stream;
  for (auto* arguments : {&inputs_, &outputs_}) {
    for (std::vector<std::byte>& argument : *arguments) {
      const StreamState& of_argument = state.streams.at(stream);
      // Memory without a byte has no place, and a stream wants one.
      argument.resize(std::max<std::size_t>(1, of_argument.elements) * bytesOf(of_argument.type));
      streams.at(stream++).connect(HostRange{argument.data(), argument.data() + argument.size()});
    }
  }
}

void HostCall::run() {
  if (!callback_) {
    throw stream_connection_error(
        fmt::format("host function {}: wanted a callback (connectHostFunction), found none",
                    handle_)
            .c_str());
  }
  std::vector<const void*> inputs;
  std::vector<void*> outputs;
  for (const auto& input : inputs_) inputs.push_back(input.data());
  for (auto& output : outputs_) outputs.push_back(output.data());
  (*callback_)(inputs, outputs);
}

}  // namespace poplar::detail
