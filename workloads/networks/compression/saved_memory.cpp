// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/compression/saved_memory.h"

#include <algorithm>

#include "ipusim/ids.h"

namespace ipusim::workloads {

SavedMemory::SavedMemory(const NetworkGraph& graph)
    : producers_(graph.tensors().size(), nullptr),
      is_saved_(graph.tensors().size(), false),
      needs_(graph.tensors().size(), {OperandNeed::Sign, false}) {
  for (const NetworkNode& node : graph.nodes()) {
    if (!isBeforeBackward(node.pass)) continue;
    for (const NetworkTensorId result : node.results) producers_[indexOf(result)] = &node;
  }
  for (const NetworkNode& node : graph.nodes()) {
    if (isBeforeBackward(node.pass)) continue;
    for (std::size_t o = 0; o < node.operands.size(); ++o) {
      addRead(node.operands[o], node.operation->needOf(o));
    }
  }
}

const NetworkNode* SavedMemory::producerOf(NetworkTensorId tensor) const {
  return producers_[indexOf(tensor)];
}

const NetworkNode* SavedMemory::viewOf(NetworkTensorId tensor) const {
  const NetworkNode* producer = producerOf(tensor);
  if (producer == nullptr || producer->operands.empty()) return nullptr;
  return producer->operation->sharesMemory() ? producer : nullptr;
}

std::vector<NetworkTensorId> SavedMemory::ownersOf(NetworkTensorId tensor) const {
  std::vector<NetworkTensorId> owners;
  std::vector<NetworkTensorId> open{tensor};
  while (!open.empty()) {
    const NetworkTensorId next = open.back();
    open.pop_back();
    if (const NetworkNode* view = viewOf(next)) {
      open.insert(open.end(), view->operands.begin(), view->operands.end());
    } else {
      owners.push_back(next);
    }
  }
  return owners;
}

bool SavedMemory::isSaved(NetworkTensorId owner) const {
  return is_saved_[indexOf(owner)];
}

ReaderNeeds SavedMemory::needsOf(NetworkTensorId owner) const {
  return needs_[indexOf(owner)];
}

void SavedMemory::addRead(NetworkTensorId tensor, OperandNeed need) {
  for (const NetworkTensorId owner : ownersOf(tensor)) {
    is_saved_[indexOf(owner)] = true;
    ReaderNeeds& needs = needs_[indexOf(owner)];
    if (need == OperandNeed::Sign) needs.is_sign_enough_for_some = true;
    const bool demands_more = need == OperandNeed::Exact || needs.most == OperandNeed::Sign;
    if (demands_more) needs.most = need;
  }
}

}  // namespace ipusim::workloads
