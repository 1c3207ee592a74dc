// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "ipusim/reference.h"
#include "workloads/networks/lowering/network_lowering.h"

namespace ipusim::workloads {

/// A network on tiles, and which of its tensors the host writes and reads.
class NetworkOnTiles {
 public:
  /// Adds the variables to `graph`, and the steps of all nodes to `program`. `outputs` are what the
  /// host reads besides what updates write. Throws NotLowered.
  NetworkOnTiles(NetworkGraph network, std::vector<NetworkTensorId> outputs, Graph& graph,
                 const Architecture& machine, Program& program,
                 const std::vector<OutlinedFunction>& functions = {});

  [[nodiscard]] const NetworkGraph& network() const { return network_; }
  /// Throws OperandError where no operands can be made up for which the results are numbers.
  [[nodiscard]] HostTensors hostTensors() const;
  /// `pass` behind a copy of the inputs from the host, and before one of the outputs to it.
  [[nodiscard]] Program betweenHostCopies(Program pass, Graph& graph) const;
  /// The names of outputs that do not live until the host reads them.
  [[nodiscard]] const std::vector<std::string>& unchecked() const { return unchecked_; }
  /// What the outputs hold after one round. Throws OperandError for an index out of range, as a
  /// network may compute one.
  [[nodiscard]] Expected expected(const std::vector<TensorValues>& inputs) const;
  /// What the outputs of a network without updates hold, and no slack.
  [[nodiscard]] Expected exact(const std::vector<TensorValues>& inputs) const;

 private:
  void addUpdated(const NetworkNode& node);
  [[nodiscard]] std::vector<NetworkTensorId> sources() const;
  [[nodiscard]] HostTensor hostTensor(NetworkTensorId source) const;
  [[nodiscard]] std::unordered_map<std::size_t, TensorValues> bySource(
      const std::vector<TensorValues>& inputs) const;

  NetworkGraph network_;
  std::vector<NetworkTensorId> outputs_;
  std::vector<std::string> unchecked_;
  LoweredTensors tensors_;
  /// A parameter or a state, the result that is written over it, and how much of it is left there.
  struct Updated {
    NetworkTensorId source;
    NetworkTensorId result;
    double kept;
  };
  std::vector<Updated> updates_;
};

}  // namespace ipusim::workloads
