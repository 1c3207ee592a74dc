// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "ipusim/error.h"
#include "models/ipu/closed_form/closed_form.h"
#include "models/ipu/closed_form/closed_form_remote.h"
#include "models/ipu/closed_form/recurrence.h"

namespace ipusim::models {

namespace {

/// An op at which all chips of a pod have come together; null at the end of their programs.
struct PodMeeting {
  const TileOp* op;
  Cycles last_arrival;
};

/// Takes all chips to their next meeting.
PodMeeting advance(std::vector<Recurrence>& chips) {
  PodMeeting meeting{chips.front().advance(), chips.front().arrival()};
  for (auto chip = chips.begin() + 1; chip != chips.end(); ++chip) {
    const TileOp* const op = chip->advance();
    const bool same = op == nullptr || meeting.op == nullptr
                          ? op == meeting.op
                          : op->kind == meeting.op->kind && op->first == meeting.op->first;
    check(same, "the chips of a pod come to different meetings");
    meeting.last_arrival = std::max(meeting.last_arrival, chip->arrival());
  }
  return meeting;
}

}  // namespace

MeasuredSystem closedForm(const SystemPrograms& system, Observer* observer) {
  verify(system);
  std::vector<Recurrence> chips;
  chips.reserve(system.chips.size());
  for (const ChipPrograms& chip : system.chips) {
    chips.emplace_back(chip, system.ipus() == 1 ? observer : nullptr);
  }
  std::vector<const ChipPrograms*> ipus;
  for (const std::uint32_t chip : system.chip_of_ipu) ipus.push_back(&system.chips[chip]);
  MeasuredSystem result;
  result.links.resize(system.link_sets);
  for (;;) {
    const auto [op, last_arrival] = advance(chips);
    if (op == nullptr) break;
    if (op->kind == OpKind::RemoteBegin) {
      const Cycles begin = last_arrival + ipus.front()->timing.streaming.sync;
      const Cycles end = remoteEnd(ipus, op->first, begin);
      for (Recurrence& chip : chips) chip.passRemoteBegin(begin, end);
      continue;
    }
    const GlobalExchange& exchange = system.exchanges[op->first];
    addLoads(exchange, chips.front().weight(), result.links);
    for (Recurrence& chip : chips) {
      chip.passGlobalExchange(last_arrival + exchange.sync + exchange.transfer);
    }
  }
  for (Recurrence& chip : chips) result.chips.push_back(chip.takeResult());
  return result;
}

}  // namespace ipusim::models
