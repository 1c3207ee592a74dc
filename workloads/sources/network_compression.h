// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "workloads/networks/compression/compression.h"
#include "workloads/sources/summary.h"
#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// Reads `codec` and the keys of the codec that it names.
CodecPointer readCodec(const ConfigReader& config);

/// The table `compress`.
struct NetworkCompression {
  CodecPointer codec;
  CompressionChoice choice;
};

/// Reads the table `compress`. None without one, and with the codec `none`.
std::optional<NetworkCompression> readNetworkCompression(const ConfigReader& config);

/// A graph whose saved tensors are coded.
struct CompressedNetwork {
  NetworkGraph graph;
  CompressionSummary summary;
};

/// Codes the saved tensors of the graph of a training step. Throws OperandError.
CompressedNetwork compress(const NetworkCompression& compression, const NetworkGraph& graph);

}  // namespace ipusim::workloads
