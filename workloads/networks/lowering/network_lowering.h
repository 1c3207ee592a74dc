// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/networks/outline/network_outline.h"

namespace ipusim::workloads {

/// Where the tensors of a network lie: one entry per tensor. None for a source that no node reads.
using LoweredTensors = std::vector<std::optional<Tensor>>;

/// What is read of a network besides what its nodes read.
struct NetworkOutputs {
  std::vector<NetworkTensorId> kept;  ///< live always
  std::vector<NetworkTensorId> read;  ///< by steps that follow those of their pass
};

/// Lowers a network to tiles, run by run of its nodes.
class NetworkLowering {
 public:
  /// All must outlive this. Sources live always, and so do the results `outputs.kept`. Sequences of
  /// nodes that are calls of `functions` become such calls, with copies of all that goes in and
  /// out.
  NetworkLowering(const NetworkGraph& network, const NetworkOutputs& outputs, Graph& graph,
                  const Architecture& machine, std::vector<OutlinedFunction> functions = {});
  ~NetworkLowering();
  NetworkLowering(const NetworkLowering&) = delete;
  NetworkLowering& operator=(const NetworkLowering&) = delete;

  /// Adds the steps of the nodes [first, last), which follow those that were added before. No call
  /// of a function goes beyond them. Throws NotLowered.
  void add(std::size_t first, std::size_t last, Program& program);

  /// Where a tensor lies. A source that no node has read yet is spread over the tiles.
  Tensor tensor(NetworkTensorId id);

  /// Where all tensors lie, as far as they are known.
  [[nodiscard]] const LoweredTensors& tensors() const;

 private:
  class Builder;
  std::unique_ptr<Builder> builder_;
};

/// Adds the variables of a network to `graph`, and the steps of all its nodes to `program`.
/// Sources live always, and so do the results `outputs`. Throws NotLowered.
LoweredTensors lowerNetwork(const NetworkGraph& network,
                            const std::vector<NetworkTensorId>& outputs, Graph& graph,
                            const Architecture& machine, Program& program,
                            const std::vector<OutlinedFunction>& functions = {});

}  // namespace ipusim::workloads
