// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "workloads/networks/graph/network_graph.h"
#include "workloads/sources/text/statement_site.h"

namespace ipusim::workloads {

/// How the text of a network is read.
struct NetworkTextOptions {
  std::uint64_t batch;
  Shape input;  ///< of one sample
  ElementType type = ElementType::Float;
  NetworkMode mode = NetworkMode::Inference;
};

/// The forward pass of a network that a text describes.
struct TextNetwork {
  NetworkGraph graph;
  NetworkTensorId result;
};

/// Reads the statements of a network. Each works on the result of the one before it; the first one
/// works on an input (batch, input...), of class indices where that statement is an embedding.
/// Besides the words of convolutionalWords(), structuredWords() and transformerWords() and the
/// functions of unaryRows() there are:
///
///   save NAME                    gives the result a name
///   from NAME                    goes on with a saved result
///   OPERATOR NAME                an operator on the result and a saved one, such as add
///   concat NAME                  puts a saved result behind the result, by channels
///   repeat N { statements }      the statements N times
///
/// Throws StatementError.
TextNetwork readNetworkText(const std::string& text, const NetworkTextOptions& options);

}  // namespace ipusim::workloads
