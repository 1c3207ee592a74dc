// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "ipusim/error.h"
#include "models/ipu/closed_form/closed_form.h"
#include "models/ipu/closed_form/closed_form_remote.h"
#include "models/ipu/closed_form/recurrence.h"

namespace ipusim::models {

PodResult closedForm(const PodPrograms& pod) {
  verify(pod);
  std::vector<Recurrence> chips;
  chips.reserve(pod.chips.size());
  for (const ChipPrograms& chip : pod.chips) chips.emplace_back(chip, nullptr);
  std::vector<const ChipPrograms*> ipus;
  for (const std::uint32_t chip : pod.chip_of_ipu) ipus.push_back(&pod.chips[chip]);
  PodResult result;
  result.links.resize(pod.link_sets);
  for (;;) {
    const TileOp* op = nullptr;
    Cycles last_arrival;
    for (Recurrence& chip : chips) {
      op = chip.advance();
      last_arrival = std::max(last_arrival, chip.arrival());
    }
    if (op == nullptr) break;
    if (op->kind == OpKind::RemoteBegin) {
      const Cycles end = remoteEnd(ipus, op->first, last_arrival);
      for (Recurrence& chip : chips) chip.passRemoteBegin(end);
      continue;
    }
    const GlobalExchange& exchange = pod.exchanges[op->first];
    addLoads(exchange, chips.front().weight(), result.links);
    for (Recurrence& chip : chips) {
      chip.passGlobalExchange(last_arrival + exchange.sync + exchange.transfer);
    }
  }
  for (Recurrence& chip : chips) result.chips.push_back(chip.takeResult());
  return result;
}

}  // namespace ipusim::models
