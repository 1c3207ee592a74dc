// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "workloads/networks/graph/network_graph.h"

namespace ipusim::workloads {

/// A training step of a network, with numbers for its sources.
class NumberedNetwork {
 public:
  /// Draws numbers from the seed for the input, the parameters and the states.
  NumberedNetwork(const std::string& text, const Shape& input, std::uint64_t batch = 2,
                  std::uint32_t seed = 1);

  [[nodiscard]] const NetworkGraph& graph() const { return graph_; }
  [[nodiscard]] NetworkTensorId loss() const { return loss_; }

  /// The values of all tensors of a graph with the same sources.
  [[nodiscard]] std::vector<TensorValues> valuesOf(const NetworkGraph& graph) const;
  /// The relative error of the gradients of all parameters together, with those of `graph`.
  [[nodiscard]] double gradientError(const NetworkGraph& graph) const;

  /// Gives a source other numbers.
  void set(NetworkTensorId source, TensorValues values);
  /// Takes the step that `graph` computes. Returns its loss.
  double learn(const NetworkGraph& graph);

 private:
  NetworkGraph graph_;
  NetworkTensorId loss_;
  std::vector<NetworkTensorId> gradients_;  ///< of the parameters
  std::unordered_map<std::size_t, TensorValues> sources_;
};

}  // namespace ipusim::workloads
