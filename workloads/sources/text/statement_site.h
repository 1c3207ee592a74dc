// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "workloads/networks/graph/layer_site.h"
#include "workloads/sources/text/statement.h"

namespace ipusim::workloads {

/// Whether a network is trained: batch norms then take the statistics of the batch, and dropouts
/// drop.
enum class NetworkMode : std::uint8_t { Inference, Training };

/// Where a statement adds its nodes.
struct StatementSite : LayerSite {
  const Statement& statement;
  ArgumentReader& arguments;
  NetworkMode mode;

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
