// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "workloads/networks/compression/compression.h"
#include "workloads/sources/summary.h"
#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// The table `compress`.
struct NetworkCompression {
  CodecPointer codec;
  /// The codec with numbers nudged down and up: see Quantiser. Empty for a codec without levels.
  std::vector<CodecPointer> nudged;
  CompressionChoice choice;
};

/// Reads the table `compress`. None without one, and with the codec `none`.
std::optional<NetworkCompression> readNetworkCompression(const ConfigReader& config);

/// A graph whose saved tensors are coded.
struct CompressedNetwork {
  NetworkGraph graph;
  std::vector<NetworkGraph> nudged;  ///< with the nudged codecs
  CompressionSummary summary;
};

/// Codes the saved tensors of the graph of a training step. Throws OperandError.
CompressedNetwork compress(const NetworkCompression& compression, const NetworkGraph& graph);

}  // namespace ipusim::workloads
