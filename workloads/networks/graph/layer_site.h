// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "workloads/networks/graph/network_graph.h"

namespace ipusim::workloads {

/// Where a layer adds its nodes.
struct LayerSite {
  NetworkGraph& graph;
  std::string name;  ///< of the layer; no other layer has it
  NetworkTensorId x;
  ElementType type;  ///< of the sources of the layer

  [[nodiscard]] const Shape& shape() const { return graph.shapeOf(x); }

  /// Adds a node that reads operands, or the only one that reads `x`.
  [[nodiscard]] NetworkTensorId add(const std::string& part, OperationPointer operation,
                                    const std::vector<NetworkTensorId>& operands) const;
  [[nodiscard]] NetworkTensorId add(OperationPointer operation) const {
    return add("", std::move(operation), {x});
  }
  /// Adds a source with the name of the layer in front.
  [[nodiscard]] NetworkTensorId source(const std::string& part, const Shape& source_shape,
                                       TensorRole role) const;
  [[nodiscard]] NetworkTensorId parameter(const std::string& part, const Shape& of) const {
    return source(part, of, TensorRole::Parameter);
  }

  /// Adds (..., inputs) x (inputs, outputs), and a bias.
  [[nodiscard]] NetworkTensorId linear(const std::string& part, NetworkTensorId from,
                                       std::uint64_t outputs, bool has_bias) const;

  /// Adds a bias to the last dimension of `y`.
  [[nodiscard]] NetworkTensorId withBias(const std::string& part, NetworkTensorId y) const;
};

/// Adds a layer at a site. Returns its result.
using AddLayer = std::function<NetworkTensorId(const LayerSite& site)>;

}  // namespace ipusim::workloads
