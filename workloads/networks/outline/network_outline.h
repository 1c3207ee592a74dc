// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/outline/sequence.h"

// Equal parts of networks as functions: what PopART does with a schedule of operations.

namespace ipusim::workloads {

/// A tensor of a function, as the network has it for one call: an operand or a result of the node
/// that is `node` behind the first one of the call.
struct FunctionPort {
  std::size_t node;
  std::size_t index;  ///< of the operand, or of the result
};

/// Equal sequences of nodes of a network, each of them a call of one function.
struct OutlinedFunction {
  /// The first node of each, ascending. Of more than two equal sequences, the first is no call.
  std::vector<std::size_t> calls;
  std::size_t length;  ///< nodes of a call
  /// The first operand that reads each tensor that is made before the call.
  std::vector<FunctionPort> arguments;
  std::vector<FunctionPort> results;  ///< what somebody reads behind the call

  [[nodiscard]] NetworkTensorId argument(const NetworkGraph& network, std::size_t call,
                                         const FunctionPort& port) const {
    return network.nodes()[call + port.node].operands[port.index];
  }
  [[nodiscard]] NetworkTensorId result(const NetworkGraph& network, std::size_t call,
                                       const FunctionPort& port) const {
    return network.nodes()[call + port.node].results[port.index];
  }
};

/// What a schedule says of a network, and the bytes of its tensors by number.
struct NetworkSchedule {
  OutlineSchedule nodes;
  std::vector<std::uint64_t> bytes;
};

/// Nodes have equal kinds where operation, settings, types and pass are equal. What an operation
/// says nothing of equals itself only, and so do look-ups in tables, operations on no operand, and
/// updates, which write to their operands. `outputs` are what the outside reads.
NetworkSchedule scheduleOf(const NetworkGraph& network,
                           const std::vector<NetworkTensorId>& outputs);

/// The functions of a network: matches of its schedule above the published threshold, cut by the
/// cost of copies. Two functions nest or have no node in common.
/// Source: graphcore/popart willow/src/transforms/subgraphoutline.cpp,
/// willow/include/popart/sessionoptions.hpp (MIT).
std::vector<OutlinedFunction> outlinedFunctions(const NetworkGraph& network,
                                                const std::vector<NetworkTensorId>& outputs);

}  // namespace ipusim::workloads
