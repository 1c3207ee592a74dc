// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/closed_form/step_clock.h"

#include <algorithm>
#include <utility>

#include "ipusim/error.h"
#include "models/ipu/engines/closed_form/chip_barriers.h"

namespace ipusim::models {

StepClock::StepClock(ChipPrograms programs)
    : programs_(std::move(programs)),
      clock_(programs_),
      parts_(programs_.steps),
      plays_(programs_.steps, 0) {
  verify(programs_);
  for (std::uint32_t t = 0; t < programs_.tiles.size(); ++t) {
    for (const TileOp& op : programs_.tiles[t].ops.items()) {
      check(op.kind != OpKind::RepeatBegin, "each step stands once, outside any Repeat");
      parts_[indexOf(op.step)].push_back({t, op, {}, false});
    }
  }
}

void StepClock::forget() {
  std::fill(clock_.busy().begin(), clock_.busy().end(), Cycles(0));
  plays_.assign(programs_.steps, 0);
}

void StepClock::startRecord() {
  records_ = true;
  first_programs_ = programs_;
  record_.changes.resize(programs_.tiles.size());
  recorded_plays_.assign(programs_.steps, 0);
}

void StepClock::setCycles(StepId step, std::uint32_t tile, std::uint32_t run, Cycles cycles) {
  std::vector<TimedOp>& parts = parts_[indexOf(step)];
  const auto part =
      std::lower_bound(parts.begin(), parts.end(), tile,
                       [](const TimedOp& p, std::uint32_t wanted) { return p.tile < wanted; });
  check(part != parts.end() && part->tile == tile && run < part->op.count, "a vertex of the step");
  Cycles& before = programs_.tiles[tile].vertices[part->op.first + run].cycles;
  if (before == cycles) return;
  before = cycles;
  part->is_known = false;
  if (records_) {
    record_.changes[tile].push_back({step, run, recorded_plays_[indexOf(step)], cycles});
  }
}

void StepClock::note(StepId step) {
  ++plays_[indexOf(step)];
  if (!records_) return;
  record_.order.push_back(static_cast<std::uint32_t>(indexOf(step)));
  ++recorded_plays_[indexOf(step)];
}

const TileOp* StepClock::barrierIn(StepId step) const {
  const std::vector<TimedOp>& parts = parts_[indexOf(step)];
  if (parts.empty() || !ChipBarriers::areAt(parts.front().op.kind)) return nullptr;
  return &parts.front().op;
}

void StepClock::passGlobalExchange(const TileOp& op, Cycles release) {
  note(op.step);
  clock_.passGlobalExchange(release, [&op](std::uint32_t) -> const TileOp& { return op; });
}

void StepClock::passRemoteBegin(const TileOp& op, Cycles begin, Cycles end) {
  note(op.step);
  clock_.passRemoteBegin(begin, end, [&op](std::uint32_t) -> const TileOp& { return op; });
}

void StepClock::play(StepId step) {
  note(step);
  std::vector<TimedOp>& parts = parts_[indexOf(step)];
  if (parts.empty()) return;
  const TileOp& first = parts.front().op;
  if (first.kind == OpKind::Sync) {
    return clock_.sync([&first](std::uint32_t) -> const TileOp& { return first; });
  }
  for (TimedOp& part : parts) {
    if (part.op.kind != OpKind::Compute) {
      check(clock_.run(part.tile, part.op), "a step that tiles run by themselves");
      continue;
    }
    if (!part.is_known) {
      part.duration = clock_.durationOf(part.tile, part.op);
      part.is_known = true;
    }
    clock_.compute(part.tile, part.op, part.duration);
  }
}

void StepClock::sync() {
  if (records_) record_.order.push_back(StepRecord::kBarrier);
  clock_.sync();
}

Cycles StepClock::end() const {
  return Cycles(*std::max_element(clock_.now().begin(), clock_.now().end()));
}

}  // namespace ipusim::models
