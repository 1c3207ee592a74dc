// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "workloads/networks/dag/network_graph.h"
#include "workloads/sources/text/statement.h"

namespace ipusim::workloads {

/// Whether a network is trained: batch norms then take the statistics of the batch, and dropouts
/// drop.
enum class NetworkMode : std::uint8_t { Inference, Training };

/// Where a statement adds its nodes.
struct StatementSite {
  NetworkGraph& graph;
  const Statement& statement;
  ArgumentReader& arguments;
  std::string name;  ///< of the layer; no other layer has it
  NetworkTensorId x;
  ElementType type;
  NetworkMode mode;

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

  /// The next argument, or the next two: the outputs of a layer, with its inputs in front. Throws
  /// unless the inputs are the last dimension of `x`.
  [[nodiscard]] std::uint64_t readOutputs();

  /// Throws unless `x` has at least `dimensions` dimensions, batch included. `wanted` says which.
  void expectDimensions(std::size_t dimensions, const std::string& wanted) const;
};

/// Adds the nodes of one statement. Returns what the next statement reads.
using AddStatement = NetworkTensorId (*)(StatementSite& site);

/// A word of the text and what it adds.
struct StatementWord {
  const char* word;
  AddStatement add;
};

/// The words for layers of convolutional networks, for those with structured matrices, and for
/// those of transformers, each sorted.
const std::vector<StatementWord>& convolutionalWords();
const std::vector<StatementWord>& structuredWords();
const std::vector<StatementWord>& transformerWords();

}  // namespace ipusim::workloads
