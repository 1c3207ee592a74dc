// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workloads/networks/compression/codec.h"

namespace ipusim::workloads {

/// What nodes read that need the signs of a coded tensor alone, as the gradient of a relu does.
/// Decoded: the tensor as it was decoded, where a zero may have become a small number. Mask: a bit
/// per element that says whether it is positive, which is kept beside the code.
enum class SignSource : std::uint8_t { Decoded, Mask };

constexpr Words<SignSource, 2> kSignSources{{
    {SignSource::Decoded, "decoded"},
    {SignSource::Mask, "mask"},
}};

/// Which of the tensors that are saved for the backward pass are coded. All conditions hold of a
/// tensor that is coded.
struct CompressionChoice {
  /// Names, where a '*' stands for any text. Empty: the tensors that save most bytes first, until
  /// the bytes saved for the backward pass are at most `target`.
  std::vector<std::string> names;
  std::vector<std::string> kinds;  ///< of the nodes that make them; empty: any
  Bytes least_bytes;               ///< of a tensor
  Bytes target;
  SignSource signs = SignSource::Decoded;
};

struct CompressedTensor {
  NetworkTensorId tensor;
  Bytes before;
  Bytes after;     ///< of the code, scales and mask included
  Bytes metadata;  ///< of the scales and of the mask
};

struct Compression {
  NetworkGraph graph;
  std::vector<CompressedTensor> tensors;
};

/// The results of the forward pass whose memory later passes read, in the order of the nodes.
/// Tensors that only show the memory of others are not among them.
std::vector<NetworkTensorId> keptTensors(const NetworkGraph& graph);

/// Bytes of all keptTensors().
Bytes keptBytes(const NetworkGraph& graph);

/// What is said where more stays saved than the target of the choice; nothing without a target.
std::optional<std::string> missedTarget(Bytes saved, const CompressionChoice& choice);

/// The graph of a training step, with `tensors` encoded behind their last use in the forward pass
/// and decoded before their first use behind it. All must be codableTensors().
Compression withCodes(const NetworkGraph& graph, const Codec& codec, SignSource signs,
                      const std::vector<NetworkTensorId>& tensors);

/// The graph of a training step, with the chosen tensors encoded behind their last use in the
/// forward pass and decoded before their first use behind it. The forward pass, and so the loss,
/// stays as it is. Ids of tensors stay. A tensor is left alone where the codec does not make it
/// smaller, where a node behind the forward pass needs it exactly, and, for a codec of signs,
/// where one needs more than signs. Throws OperandError for a name that finds no tensor, for one
/// that finds only tensors which cannot be coded, and for kinds that no saved tensor has.
Compression withCompression(const NetworkGraph& graph, const Codec& codec,
                            const CompressionChoice& choice);

}  // namespace ipusim::workloads
