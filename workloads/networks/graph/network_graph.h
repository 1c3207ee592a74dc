// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "ipusim/ids.h"
#include "workloads/networks/graph/operation.h"

namespace ipusim::workloads {

/// What a tensor of a network is for.
enum class TensorRole : std::uint8_t {
  Input,      ///< of the network: the host writes it for each batch
  Parameter,  ///< training learns it
  Constant,   ///< numbers that belong to the network and that nothing learns
  State,      ///< kept from step to step, such as the momentum of a parameter
  Result,     ///< of a node
};

/// The pass that a node belongs to. Encode and Decode are what lossy compression adds to the
/// forward and to the backward pass.
enum class NetworkPass : std::uint8_t { Forward, Encode, Decode, Recomputation, Backward, Update };

/// Whether nodes of a pass run before the backward pass.
constexpr bool isBeforeBackward(NetworkPass pass) {
  return pass == NetworkPass::Forward || pass == NetworkPass::Encode;
}

struct NetworkTensor {
  std::string name;
  TensorType type;
  TensorRole role;
  TensorValues values = {};  ///< of a Constant whose numbers are known, row-major
};

/// An operation on tensors. It has at least one result.
struct NetworkNode {
  std::string name;
  OperationPointer operation;
  std::vector<NetworkTensorId> operands;
  std::vector<NetworkTensorId> results;
  NetworkPass pass;
};

/// A network as nodes in the order of execution. Every operand is a source, which is anything but a
/// Result, or a result of an earlier node, so the graph has no cycle. References to tensors and
/// nodes stay valid while others are added.
class NetworkGraph {
 public:
  NetworkGraph() = default;
  /// A graph of nodes that were taken from another one. All operands of a node stand before it.
  NetworkGraph(std::deque<NetworkTensor> tensors, std::deque<NetworkNode> nodes,
               const ProductSettings& products)
      : tensors_(std::move(tensors)), nodes_(std::move(nodes)), products_(products) {}

  /// Adds a source. `role` is not Result.
  NetworkTensorId addSource(const std::string& name, const TensorType& type, TensorRole role);

  /// Adds a Constant with these numbers.
  NetworkTensorId addConstant(const std::string& name, const TensorType& type, TensorValues values);

  /// Adds a node of another graph that has the same tensors, as it is.
  void append(NetworkNode node) { nodes_.push_back(std::move(node)); }

  /// Adds a node behind all others, in the pass of setPass(). Infers the types of its results.
  /// Throws OperandError, with the name of the node in front.
  std::vector<NetworkTensorId> addNode(const std::string& name, OperationPointer operation,
                                       const std::vector<NetworkTensorId>& operands);
  /// Adds a node of one result.
  NetworkTensorId add(const std::string& name, OperationPointer operation,
                      const std::vector<NetworkTensorId>& operands);

  /// The pass of all nodes that are added from now on. At first Forward.
  void setPass(NetworkPass pass) { pass_ = pass; }
  [[nodiscard]] NetworkPass pass() const { return pass_; }

  /// How all products are planned. At first without options.
  void setProducts(const ProductSettings& products) { products_ = products; }
  [[nodiscard]] const ProductSettings& products() const { return products_; }

  [[nodiscard]] const std::deque<NetworkTensor>& tensors() const { return tensors_; }
  [[nodiscard]] const std::deque<NetworkNode>& nodes() const { return nodes_; }
  [[nodiscard]] const NetworkTensor& operator[](NetworkTensorId tensor) const {
    return tensors_.at(indexOf(tensor));
  }
  [[nodiscard]] const Shape& shapeOf(NetworkTensorId tensor) const {
    return (*this)[tensor].type.shape;
  }
  /// The tensors with a role, in the order in which they were added.
  [[nodiscard]] std::vector<NetworkTensorId> tensorsOf(TensorRole role) const;
  /// The types of a node's operands.
  [[nodiscard]] std::vector<TensorType> typesOf(const std::vector<NetworkTensorId>& tensors) const;

 private:
  std::deque<NetworkTensor> tensors_;
  std::deque<NetworkNode> nodes_;
  NetworkPass pass_ = NetworkPass::Forward;
  ProductSettings products_;
};

/// A network without its dead nodes: those that no result depends on.
struct PrunedNetwork {
  NetworkGraph graph;
  std::vector<NetworkTensorId> results;  ///< those that are read, as tensors of `graph`
  std::vector<std::string> dead;         ///< the names of the nodes that were left out
};

/// The network without nodes that none of `results` depends on. With them go their results, and
/// parameters and constants that nothing else reads. Inputs stay: the host writes them anyway.
PrunedNetwork withoutDeadNodes(const NetworkGraph& graph,
                               const std::vector<NetworkTensorId>& results);

}  // namespace ipusim::workloads
