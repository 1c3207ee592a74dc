// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/network_training.h"

#include "workloads/networks/operations/rows/loss.h"
#include "workloads/networks/training/backward.h"

namespace ipusim::workloads {

NetworkTensorId addLoss(LossWord loss, ForwardNetwork& network) {
  NetworkGraph& graph = network.graph;
  const NetworkTensorId learnt = network.results.front();
  if (loss == LossWord::Result) return learnt;
  const TensorType result = graph[learnt].type;
  if (loss == LossWord::SquaredError) {
    const NetworkTensorId target = graph.addSource("target", result, TensorRole::Input);
    return graph.add("loss", squaredErrorLoss(), {learnt, target});
  }
  Shape rows = result.shape;
  if (rows.empty()) throw OperandError("loss: logits (rows..., classes)", textOf(rows));
  rows.pop_back();
  const NetworkTensorId labels =
      graph.addSource("labels", {rows, ElementType::UInt32}, TensorRole::Input);
  return graph.add("loss", crossEntropyLoss(), {learnt, labels});
}

void addTraining(LossWord loss, const Optimiser& optimiser, ForwardNetwork& network) {
  network.results = {addLoss(loss, network)};
  NetworkGraph& graph = network.graph;
  addUpdates(graph, addBackward(graph, network.results.front()), optimiser);
}

}  // namespace ipusim::workloads
