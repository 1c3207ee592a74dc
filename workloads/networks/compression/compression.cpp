// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/compression/compression.h"

#include <fmt/format.h>

#include <map>
#include <unordered_map>
#include <utility>

#include "ipusim/error.h"
#include "ipusim/ids.h"
#include "workloads/networks/compression/compression_choice.h"
#include "workloads/networks/compression/saved_memory.h"
#include "workloads/networks/compression/tensor_code.h"
#include "workloads/networks/graph/counts.h"

namespace ipusim::workloads {

namespace {

/// Copies a graph, and adds nodes that encode and decode.
class Compressor {
 public:
  Compressor(const NetworkGraph& graph, const Codec& codec, SignSource signs,
             const std::vector<NetworkTensorId>& chosen)
      : from_(graph),
        codec_(codec),
        signs_(signs),
        memory_(graph),
        to_(graph.tensors(), {}, graph.products()) {
    for (const NetworkTensorId tensor : chosen) encoded_.emplace(indexOf(tensor), std::nullopt);
    findLastUses(chosen);
  }

  Compression compress() {
    const auto& nodes = from_.nodes();
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      NetworkNode node = nodes[n];
      if (node.pass != NetworkPass::Forward) {
        for (std::size_t o = 0; o < node.operands.size(); ++o) {
          node.operands[o] = decoded(node.operands[o], node.operation->needOf(o));
        }
      }
      to_.append(std::move(node));
      const auto ending = last_uses_.find(n);
      if (ending == last_uses_.end()) continue;
      for (const NetworkTensorId tensor : ending->second) encode(tensor);
    }
    return {std::move(to_), std::move(compressed_)};
  }

 private:
  /// For each node of the forward pass, the chosen tensors that no later one of it reads.
  void findLastUses(const std::vector<NetworkTensorId>& chosen) {
    std::unordered_map<std::size_t, std::size_t> last;
    const auto& nodes = from_.nodes();
    const auto use = [&](NetworkTensorId tensor, std::size_t node) {
      for (const NetworkTensorId owner : memory_.ownersOf(tensor)) {
        if (encoded_.count(indexOf(owner)) > 0) last[indexOf(owner)] = node;
      }
    };
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (nodes[n].pass != NetworkPass::Forward) continue;
      for (const NetworkTensorId operand : nodes[n].operands) use(operand, n);
      for (const NetworkTensorId result : nodes[n].results) use(result, n);
    }
    for (const NetworkTensorId tensor : chosen) {
      const auto found = last.find(indexOf(tensor));
      check(found != last.end(), "a tensor with a code is used by the forward pass");
      last_uses_[found->second].push_back(tensor);
    }
  }

  [[nodiscard]] CodecSite siteOf(NetworkTensorId tensor, const char* way) {
    return {to_, constants_, from_[tensor].name + "/" + way};
  }

  void encode(NetworkTensorId tensor) {
    to_.setPass(NetworkPass::Encode);
    TensorCode encoded =
        encodeTensor(siteOf(tensor, "encode"), codec_, signs_, memory_.needsOf(tensor), tensor);
    compressed_.push_back(
        {tensor, bytesOf(from_[tensor]), encoded.bytes(to_), encoded.metadata(to_)});
    encoded_[indexOf(tensor)] = encoded;
  }

  /// What a node behind the forward pass reads for `tensor`: the tensor itself, what was decoded,
  /// or a view of that.
  NetworkTensorId decoded(NetworkTensorId tensor, OperandNeed need) {
    const std::pair<std::size_t, bool> key{indexOf(tensor), need == OperandNeed::Sign};
    const auto known = decoded_.find(key);
    if (known != decoded_.end()) return known->second;
    const NetworkTensorId found = decodedAnew(tensor, need);
    decoded_.emplace(key, found);
    return found;
  }

  NetworkTensorId decodedAnew(NetworkTensorId tensor, OperandNeed need) {
    const auto found = encoded_.find(indexOf(tensor));
    if (found != encoded_.end()) return decodedFrom(*found->second, tensor, need);
    const NetworkNode* view = memory_.viewOf(tensor);
    if (view == nullptr) return tensor;
    std::vector<NetworkTensorId> operands;
    for (const NetworkTensorId operand : view->operands) operands.push_back(decoded(operand, need));
    if (operands == view->operands) return tensor;
    to_.setPass(NetworkPass::Decode);
    return to_.add(view->name + "/again", view->operation, operands);
  }

  NetworkTensorId decodedFrom(const TensorCode& encoded, NetworkTensorId tensor, OperandNeed need) {
    const TensorType& type = from_[tensor].type;
    to_.setPass(NetworkPass::Decode);
    const CodecSite site = siteOf(tensor, "decode");
    if (need != OperandNeed::Sign) return codec_.decode(site, *encoded.code, type);
    if (encoded.mask) return site.add("mask", unpackSigns(type), {*encoded.mask});
    return decoded(tensor, OperandNeed::Value);
  }

  const NetworkGraph& from_;
  const Codec& codec_;
  SignSource signs_;
  SavedMemory memory_;
  NetworkGraph to_;
  CodecConstants constants_;
  std::unordered_map<std::size_t, std::optional<TensorCode>> encoded_;       ///< by chosen tensor
  std::unordered_map<std::size_t, std::vector<NetworkTensorId>> last_uses_;  ///< by node
  /// By tensor, and by whether signs are enough.
  std::map<std::pair<std::size_t, bool>, NetworkTensorId> decoded_;
  std::vector<CompressedTensor> compressed_;
};

}  // namespace

std::vector<NetworkTensorId> keptTensors(const NetworkGraph& graph) {
  const SavedMemory memory(graph);
  std::vector<NetworkTensorId> kept;
  for (const NetworkNode& node : graph.nodes()) {
    if (!isBeforeBackward(node.pass)) continue;
    for (const NetworkTensorId result : node.results) {
      if (memory.isSaved(result)) kept.push_back(result);
    }
  }
  return kept;
}

Bytes keptBytes(const NetworkGraph& graph) {
  Bytes bytes;
  for (const NetworkTensorId tensor : keptTensors(graph)) bytes += bytesOf(graph[tensor]);
  return bytes;
}

std::optional<std::string> missedTarget(Bytes saved, const CompressionChoice& choice) {
  if (choice.target == Bytes(0) || saved <= choice.target) return std::nullopt;
  return fmt::format(
      "compress.target_bytes: {} bytes stay saved for the backward pass, more than the {} wanted",
      saved.value(), choice.target.value());
}

Compression withCompression(const NetworkGraph& graph, const Codec& codec,
                            const CompressionChoice& choice) {
  return withCodes(graph, codec, choice.signs, chosenTensors(graph, codec, choice));
}

Compression withCodes(const NetworkGraph& graph, const Codec& codec, SignSource signs,
                      const std::vector<NetworkTensorId>& tensors) {
  return Compressor(graph, codec, signs, tensors).compress();
}

}  // namespace ipusim::workloads
