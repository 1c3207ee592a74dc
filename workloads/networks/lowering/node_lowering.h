// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ipusim/graph.h"
#include "workloads/networks/graph/operation.h"
#include "workloads/ops/placement/arrange.h"

// How a node of a network becomes steps of a program for tiles.

namespace ipusim::workloads {

/// An operation for which there are no steps on tiles.
class NotLowered : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Where a node is lowered.
struct NodeSite {
  Graph& graph;
  const Architecture& machine;
  std::string name;               ///< of the node: prefix of the names of all that it adds
  TensorTypes types;              ///< of the operands
  Shape result;                   ///< of the first result
  Lifetime lifetime;              ///< of the results
  bool is_training;               ///< the network has a backward pass
  std::vector<bool> is_last_use;  ///< one entry per operand: nothing else reads its memory, now or
                                  ///< later, so that the result may be written over it
  ProductSettings products = {};
  Lifetime sources = Lifetime::Always;  ///< of the sources that it places
};

/// Lowers one node. First place() may be called, then lower() once.
class NodeLowering {
 public:
  explicit NodeLowering(NodeSite site) : site_(std::move(site)) {}
  virtual ~NodeLowering() = default;
  NodeLowering(const NodeLowering&) = delete;
  NodeLowering& operator=(const NodeLowering&) = delete;

  /// Adds a variable of the lifetime `sources` for an operand that is a source of the network, or
  /// stands for one in a function, and that no earlier node has placed. `known` has the operands
  /// that are placed. None: the operand is to be spread linearly.
  virtual std::optional<Tensor> place(std::size_t operand,
                                      const std::vector<std::optional<Tensor>>& known);

  /// Adds the steps. Returns the results.
  virtual std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) = 0;

 protected:
  /// `tensor`, or a copy of it, as a view of one variable: each element once, and at most as much
  /// padding as elements.
  Tensor inOneVariable(const Tensor& tensor, const std::string& part, Program& program);
  /// `tensor`, or a copy of it, where `like` lies, which views one variable.
  Tensor alike(const Tensor& like, const Tensor& tensor, const std::string& part, Program& program);
  /// `tensor`, which is temporary, or a copy of it that lives as long as the results.
  Tensor kept(const Tensor& tensor, Program& program);
  /// The tensor in the variable of `storage` that lies there as `like` lies in its own.
  static Tensor resultIn(const Tensor& storage, const Tensor& like) {
    return placedAs(like, storage);
  }
  [[nodiscard]] std::string step(const std::string& part) const { return site_.name + "/" + part; }
  [[nodiscard]] NotLowered notLowered(const std::string& what) const {
    return NotLowered(site_.name + ": wanted what has steps for tiles, found " + what);
  }

  NodeSite site_;
};

using NodeLoweringPointer = std::unique_ptr<NodeLowering>;

}  // namespace ipusim::workloads
