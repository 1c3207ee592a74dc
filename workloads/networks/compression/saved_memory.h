// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "workloads/networks/compression/tensor_code.h"

namespace ipusim::workloads {

/// Who makes the tensors of a graph, and what the passes behind the forward pass read of it.
class SavedMemory {
 public:
  explicit SavedMemory(const NetworkGraph& graph);

  /// The node of the forward pass that makes a tensor; null for sources, and for results of later
  /// passes.
  [[nodiscard]] const NetworkNode* producerOf(NetworkTensorId tensor) const;
  /// The node that makes a tensor as a view of its operands; null where the tensor has memory of
  /// its own.
  [[nodiscard]] const NetworkNode* viewOf(NetworkTensorId tensor) const;
  /// The tensors that have the memory of a tensor: its own, or that of what it is a view of.
  [[nodiscard]] std::vector<NetworkTensorId> ownersOf(NetworkTensorId tensor) const;

  /// Whether later passes read the memory of a tensor that has memory of its own.
  [[nodiscard]] bool isSaved(NetworkTensorId owner) const;
  /// What the nodes of later passes that read it need of it.
  [[nodiscard]] ReaderNeeds needsOf(NetworkTensorId owner) const;

 private:
  void addRead(NetworkTensorId tensor, OperandNeed need);

  std::vector<const NetworkNode*> producers_;  ///< by tensor
  std::vector<bool> is_saved_;                 ///< by owner
  std::vector<ReaderNeeds> needs_;             ///< by owner
};

}  // namespace ipusim::workloads
