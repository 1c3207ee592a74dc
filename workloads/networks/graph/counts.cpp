// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/graph/counts.h"

#include <numeric>

namespace ipusim::workloads {

std::uint64_t parameterCount(const NetworkGraph& graph) {
  std::uint64_t count = 0;
  for (const NetworkTensorId parameter : graph.tensorsOf(TensorRole::Parameter)) {
    count = checkedSum(count, elementsOf(graph.shapeOf(parameter)));
  }
  return count;
}

Flops flopsOf(const NetworkGraph& graph, NetworkPass pass) {
  Flops flops;
  for (const NetworkNode& node : graph.nodes()) {
    if (node.pass == pass) flops += node.operation->flops(graph.typesOf(node.operands));
  }
  return flops;
}

Bytes bytesOf(const NetworkTensor& tensor) {
  return elementsOf(tensor.type.shape) * sizeOf(tensor.type.type);
}

std::vector<NetworkTensorId> storageOfTensors(const NetworkGraph& graph) {
  std::vector<NetworkTensorId> storage;
  for (std::size_t t = 0; t < graph.tensors().size(); ++t) {
    storage.push_back(static_cast<NetworkTensorId>(t));
  }
  for (const NetworkNode& node : graph.nodes()) {
    if (!node.operation->isView()) continue;
    storage[indexOf(node.results.front())] = storage[indexOf(node.operands.front())];
  }
  return storage;
}

std::vector<NetworkTensorId> savedTensors(const NetworkGraph& graph) {
  const std::vector<NetworkTensorId> storage = storageOfTensors(graph);
  std::vector<bool> is_read(storage.size(), false);
  for (const NetworkNode& node : graph.nodes()) {
    if (isBeforeBackward(node.pass)) continue;
    for (const NetworkTensorId operand : node.operands)
      is_read[indexOf(storage[indexOf(operand)])] = true;
  }
  std::vector<NetworkTensorId> saved;
  for (const NetworkNode& node : graph.nodes()) {
    if (!isBeforeBackward(node.pass)) continue;
    for (const NetworkTensorId result : node.results) {
      if (storage[indexOf(result)] == result && is_read[indexOf(result)]) saved.push_back(result);
    }
  }
  return saved;
}

Bytes savedBytes(const NetworkGraph& graph) {
  Bytes bytes;
  for (const NetworkTensorId tensor : savedTensors(graph)) bytes += bytesOf(graph[tensor]);
  return bytes;
}

}  // namespace ipusim::workloads
