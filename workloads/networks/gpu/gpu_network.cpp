// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/gpu/gpu_network.h"

#include <algorithm>
#include <optional>

#include "ipusim/ids.h"
#include "workloads/networks/gpu/gpu_node.h"
#include "workloads/networks/graph/counts.h"
#include "workloads/networks/graph/layer_networks.h"
#include "workloads/networks/operations/products/product.h"
#include "workloads/networks/operations/skipped.h"
#include "workloads/networks/operations/windows/convolution.h"

namespace ipusim::workloads {

namespace {

/// Makes the operators of the nodes of a network, and follows the memory of its tensors.
class GpuNetworkBuilder {
 public:
  GpuNetworkBuilder(const NetworkGraph& network, const std::vector<NetworkTensorId>& results)
      : network_(network), storage_(storageOfTensors(network)), maker_(storage_.size(), nullptr) {
    program_.name = "network";
    for (const NetworkNode& node : network_.nodes()) findStorage(node);
    findLastReads(results);
  }

  gpu::Program build() {
    Bytes live = sourceBytes();
    program_.tensors = live;
    for (std::size_t n = 0; n < network_.nodes().size(); ++n) {
      const NetworkNode& node = network_.nodes()[n];
      if (!isFree(node) && !isSkipped(*node.operation)) addOperator(node);
      for (const NetworkTensorId made : node.results) {
        if (isOwn(made) && node.pass != NetworkPass::Update) live += bytes(made);
      }
      program_.tensors = std::max(program_.tensors, live);
      for (const NetworkTensorId dead : dying_[n]) live = excess(live, bytes(dead));
    }
    const bool is_half = std::any_of(
        network_.tensors().begin(), network_.tensors().end(),
        [](const NetworkTensor& tensor) { return tensor.type.type == ElementType::Half; });
    if (is_half) program_.numbers = gpu::Numbers::Half;
    return std::move(program_);
  }

 private:
  /// Results that are views, or that the kernel of a product makes, lie where their operand lies.
  void findStorage(const NetworkNode& node) {
    for (const NetworkTensorId made : node.results) maker_[indexOf(made)] = &node;
    if (isFree(node)) {
      const NetworkTensorId operand = biasedProduct(node).value_or(node.operands.front());
      storage_[indexOf(node.results.front())] = storage_[indexOf(operand)];
    }
  }

  [[nodiscard]] bool isFree(const NetworkNode& node) const {
    return node.operation->isFreeOnGpu() || biasedProduct(node);
  }

  /// The product to which a node adds a bias. The bias may stand on either side.
  [[nodiscard]] std::optional<NetworkTensorId> biasedProduct(const NetworkNode& node) const {
    if (node.operation->kind() != "add" || node.pass != NetworkPass::Forward) return std::nullopt;
    const NetworkTensorId left = node.operands[0];
    const NetworkTensorId right = node.operands[1];
    if (isMadeByProduct(left) && isBias(right)) return left;
    if (isMadeByProduct(right) && isBias(left)) return right;
    return std::nullopt;
  }

  [[nodiscard]] bool isMadeByProduct(NetworkTensorId tensor) const {
    const NetworkNode* made_by = maker_[indexOf(tensor)];
    return made_by != nullptr && isProduct(*made_by);
  }

  /// A kernel of a product adds a vector of parameters, or a view of one. A table, such as one of
  /// positions, takes another kernel.
  [[nodiscard]] bool isBias(NetworkTensorId tensor) const {
    const Shape& shape = network_.shapeOf(tensor);
    const auto long_dims =
        std::count_if(shape.begin(), shape.end(), [](std::uint64_t size) { return size > 1; });
    return long_dims <= 1 && network_[storage_[indexOf(tensor)]].role == TensorRole::Parameter;
  }

  [[nodiscard]] bool isProduct(const NetworkNode& node) const {
    const TensorTypes types = network_.typesOf(node.operands);
    return productOf(*node.operation, types) || convolutionOf(*node.operation, types);
  }

  [[nodiscard]] bool isOwn(NetworkTensorId tensor) const {
    return storage_[indexOf(tensor)] == tensor;
  }

  [[nodiscard]] Bytes bytes(NetworkTensorId tensor) const { return bytesOf(network_[tensor]); }

  /// What a kernel reads of a tensor: a broadcast one is not longer than what it views.
  [[nodiscard]] Bytes bytesRead(NetworkTensorId tensor) const {
    return std::min(bytes(tensor), bytes(storage_[indexOf(tensor)]));
  }

  void findLastReads(const std::vector<NetworkTensorId>& results) {
    const std::size_t count = network_.nodes().size();
    std::vector<std::size_t> last(storage_.size(), count);
    for (std::size_t n = 0; n < count; ++n) {
      const NetworkNode& node = network_.nodes()[n];
      for (const NetworkTensorId made : node.results) last[indexOf(storage_[indexOf(made)])] = n;
      for (const NetworkTensorId read : node.operands) last[indexOf(storage_[indexOf(read)])] = n;
    }
    for (const NetworkTensorId result : results) last[indexOf(storage_[indexOf(result)])] = count;
    dying_.resize(count);
    for (std::size_t t = 0; t < last.size(); ++t) {
      const auto tensor = static_cast<NetworkTensorId>(t);
      const bool is_made =
          network_[tensor].role == TensorRole::Result && maker_[t]->pass != NetworkPass::Update;
      if (is_made && isOwn(tensor) && last[t] < count) dying_[last[t]].push_back(tensor);
    }
  }

  [[nodiscard]] Bytes sourceBytes() const {
    std::vector<bool> is_read(storage_.size(), false);
    for (const NetworkNode& node : network_.nodes()) {
      for (const NetworkTensorId read : node.operands) is_read[indexOf(read)] = true;
    }
    Bytes all;
    for (std::size_t t = 0; t < storage_.size(); ++t) {
      const auto tensor = static_cast<NetworkTensorId>(t);
      if (is_read[t] && network_[tensor].role != TensorRole::Result) all += bytes(tensor);
    }
    return all;
  }

  void addOperator(const NetworkNode& node) {
    gpu::Operator one = node.operation->gpuOperator(
        {network_.typesOf(node.operands), bytes(node.results.front()), passOf(node)});
    one.name = layerOf(node);
    program_.operators.push_back(std::move(one));
  }

  [[nodiscard]] gpu::Elementwise passOf(const NetworkNode& node) const {
    Bytes read;
    Bytes written;
    for (const NetworkTensorId operand : node.operands) read += bytesRead(operand);
    for (const NetworkTensorId made : node.results) written += bytes(made);
    return {read, written, read + written, node.operation->flops(network_.typesOf(node.operands))};
  }

  const NetworkGraph& network_;
  std::vector<NetworkTensorId> storage_;             ///< by tensor: the one whose memory it has
  std::vector<const NetworkNode*> maker_;            ///< by tensor; null for a source
  std::vector<std::vector<NetworkTensorId>> dying_;  ///< by node: what nothing reads behind it
  gpu::Program program_;
};

}  // namespace

gpu::Program gpuNetwork(const NetworkGraph& network, const std::vector<NetworkTensorId>& results) {
  return GpuNetworkBuilder(network, results).build();
}

}  // namespace ipusim::workloads
