// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/operations/elementwise/quantisation.h"

// Lossy codes for tensors that wait between the passes of training. A codec is a few nodes that
// encode and a few that decode.

namespace ipusim::workloads {

/// The matrices of codecs, by name. Tensors of one size share them.
using CodecConstants = std::map<std::string, NetworkTensorId>;

/// Where a codec adds its nodes.
struct CodecSite {
  NetworkGraph& graph;
  CodecConstants& constants;
  std::string name;  ///< prefix of the names of all nodes

  [[nodiscard]] NetworkTensorId add(const std::string& part, OperationPointer operation,
                                    const std::vector<NetworkTensorId>& operands) const {
    return graph.add(name + "/" + part, std::move(operation), operands);
  }
  [[nodiscard]] NetworkTensorId reshaped(const std::string& part, const Shape& shape,
                                         NetworkTensorId tensor) const;
  /// The operand with dimension `order[d]` as its dimension d, in memory of its own.
  [[nodiscard]] NetworkTensorId arranged(const std::string& part,
                                         const std::vector<std::size_t>& order,
                                         NetworkTensorId tensor) const;
  [[nodiscard]] NetworkTensorId constant(const std::string& of, const TensorType& type,
                                         const TensorValues& values) const;
};

/// What a codec keeps of a tensor.
struct Code {
  NetworkTensorId values;
  std::optional<NetworkTensorId> scales;  ///< of the levels of quantised values
};

class Codec {
 public:
  virtual ~Codec() = default;
  Codec(const Codec&) = delete;
  Codec& operator=(const Codec&) = delete;

  /// What a tensor must be to be coded, where `type` is not so. None for a tensor that can be.
  [[nodiscard]] virtual std::optional<std::string> wantedInsteadOf(
      const TensorType& type) const = 0;
  /// Whether only the signs of the elements can be decoded.
  [[nodiscard]] virtual bool keepsSignsAlone() const { return false; }
  /// Whether the values lie in memory without padding.
  [[nodiscard]] virtual bool isCompact() const { return true; }

  [[nodiscard]] virtual Code encode(const CodecSite& site, NetworkTensorId x) const = 0;
  /// A tensor of `type`, which encode() coded.
  [[nodiscard]] virtual NetworkTensorId decode(const CodecSite& site, const Code& code,
                                               const TensorType& type) const = 0;

 protected:
  Codec() = default;
};

using CodecPointer = std::shared_ptr<const Codec>;

/// Keeps one bit per element: whether it is positive.
CodecPointer signCodec();

/// Keeps halves of floats.
CodecPointer halfCodec();

/// Keeps 8-bit floats and the power of two that scales them.
CodecPointer float8Codec();

/// Keeps levels.
CodecPointer quantisingCodec(const Quantiser& quantiser);

/// Keeps levels of what `first` keeps.
CodecPointer quantised(CodecPointer first, const Quantiser& quantiser);

/// Keeps the projection of each row, along the last dimension, on `rank` directions. They are
/// orthonormal and drawn at random from a seed.
struct LowRankSketch {
  std::uint64_t rank;
  std::uint64_t seed = 0;
};
CodecPointer lowRankCodec(const LowRankSketch& sketch);

}  // namespace ipusim::workloads
