// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/passes/rewrite.h"

#include "ipusim/ids.h"
#include "workloads/networks/operations/shaping.h"

namespace ipusim::workloads {

GraphRewrite::GraphRewrite(const PassedNetwork& network)
    : network_(network),
      producers_(network.graph.tensors().size(), nullptr),
      reads_(network.graph.tensors().size(), 0),
      after_(network.graph.tensors(), {}, network.graph.products()) {
  for (const NetworkNode& node : network.graph.nodes()) {
    for (const NetworkTensorId result : node.results) producers_[indexOf(result)] = &node;
    for (const NetworkTensorId operand : node.operands) ++reads_[indexOf(operand)];
  }
  for (const NetworkTensorId result : network.results) ++reads_[indexOf(result)];
  for (std::size_t t = 0; t < producers_.size(); ++t) {
    now_.push_back(static_cast<NetworkTensorId>(t));
  }
}

const NetworkNode* GraphRewrite::producerOf(NetworkTensorId tensor) const {
  return producers_[indexOf(tensor)];
}

const NetworkNode* GraphRewrite::ownProducer(NetworkTensorId tensor, const char* kind) const {
  const NetworkNode* const producer = producerOf(tensor);
  const bool is_own =
      producer != nullptr && producer->operation->kind() == kind && readsOf(tensor) == 1;
  return is_own ? producer : nullptr;
}

std::uint64_t GraphRewrite::readsOf(NetworkTensorId tensor) const {
  return reads_[indexOf(tensor)];
}

bool GraphRewrite::isOwnParameter(NetworkTensorId tensor) const {
  return before()[tensor].role == TensorRole::Parameter && readsOf(tensor) == 1;
}

std::optional<double> GraphRewrite::numberOf(NetworkTensorId tensor) const {
  const NetworkTensor& source = before()[tensor];
  if (elementsOf(source.type.shape) != 1) return std::nullopt;
  if (!source.values.empty()) return source.values.front();
  const NetworkNode* const producer = producerOf(tensor);
  return producer == nullptr ? std::nullopt : constantValue(*producer->operation);
}

NetworkTensorId GraphRewrite::now(NetworkTensorId tensor) const {
  return now_[indexOf(tensor)];
}

void GraphRewrite::replace(NetworkTensorId tensor, NetworkTensorId by) {
  now_[indexOf(tensor)] = by;
}

std::uint64_t GraphRewrite::run(const std::function<bool(const NetworkNode&)>& rewrite) {
  std::uint64_t times = 0;
  for (const NetworkNode& node : before().nodes()) {
    after_.setPass(node.pass);
    if (rewrite(node)) {
      ++times;
      continue;
    }
    NetworkNode kept = node;
    for (NetworkTensorId& operand : kept.operands) operand = now(operand);
    after_.append(std::move(kept));
  }
  return times;
}

PassedNetwork GraphRewrite::take() {
  std::vector<NetworkTensorId> results;
  for (const NetworkTensorId result : network_.results) results.push_back(now(result));
  PrunedNetwork pruned = withoutDeadNodes(after_, results);
  return {std::move(pruned.graph), std::move(pruned.results)};
}

std::uint64_t rewriteNodes(PassedNetwork& network,
                           bool (*rewrite)(const NetworkNode& node, GraphRewrite& rewrite)) {
  GraphRewrite anew(network);
  const std::uint64_t times =
      anew.run([&](const NetworkNode& node) { return rewrite(node, anew); });
  network = anew.take();
  return times;
}

}  // namespace ipusim::workloads
