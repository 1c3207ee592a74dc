// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "workloads/networks/graph/network_graph.h"

namespace ipusim::workloads {

/// The forward pass of a network while passes change it.
struct PassedNetwork {
  NetworkGraph graph;
  std::vector<NetworkTensorId> results;  ///< what its user reads
};

/// A network that is built anew from another one, node by node: each is kept, or others take its
/// place. The tensors of the old network keep their numbers in the new one.
class GraphRewrite {
 public:
  explicit GraphRewrite(const PassedNetwork& network);

  /// The old network.
  [[nodiscard]] const NetworkGraph& before() const { return network_.graph; }
  /// The node that makes a tensor; null for a source.
  [[nodiscard]] const NetworkNode* producerOf(NetworkTensorId tensor) const;
  /// The producer, if it is an operation of that kind and nothing else reads the tensor.
  [[nodiscard]] const NetworkNode* ownProducer(NetworkTensorId tensor, const char* kind) const;
  /// How often nodes, or the user, read a tensor.
  [[nodiscard]] std::uint64_t readsOf(NetworkTensorId tensor) const;
  /// Whether a tensor is a parameter that only one node reads.
  [[nodiscard]] bool isOwnParameter(NetworkTensorId tensor) const;
  /// The value of a tensor of one element that the network knows.
  [[nodiscard]] std::optional<double> numberOf(NetworkTensorId tensor) const;

  /// The new network, for nodes that take the place of others.
  [[nodiscard]] NetworkGraph& after() { return after_; }
  /// What stands in the new network for a tensor of the old one.
  [[nodiscard]] NetworkTensorId now(NetworkTensorId tensor) const;
  /// Later nodes read `by` in place of `tensor`.
  void replace(NetworkTensorId tensor, NetworkTensorId by);

  /// Calls `rewrite` with each node of the old network, in their order. Where it returns true it
  /// has replaced the results. Returns how often that was. Nodes that nothing reads any more are
  /// left out.
  std::uint64_t run(const std::function<bool(const NetworkNode&)>& rewrite);

  /// The new network, behind run().
  [[nodiscard]] PassedNetwork take();

 private:
  const PassedNetwork& network_;
  std::vector<const NetworkNode*> producers_;  // by tensor
  std::vector<std::uint64_t> reads_;           // by tensor
  std::vector<NetworkTensorId> now_;           // by tensor of the old network
  NetworkGraph after_;
};

/// Builds a network anew, where `rewrite` may replace the results of each node. Returns how often
/// it did.
std::uint64_t rewriteNodes(PassedNetwork& network,
                           bool (*rewrite)(const NetworkNode& node, GraphRewrite& rewrite));

}  // namespace ipusim::workloads
