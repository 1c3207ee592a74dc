// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/closed_form/step_clock.h"

#include <algorithm>
#include <utility>

#include "ipusim/error.h"
#include "models/ipu/closed_form/closed_form_remote.h"

namespace ipusim::models {

StepClock::StepClock(ChipPrograms programs)
    : programs_(std::move(programs)),
      compute_clock_(programs_.timing),
      port_clock_(programs_),
      parts_(programs_.steps),
      now_(programs_.tiles.size()) {
  verify(programs_);
  for (std::uint32_t t = 0; t < programs_.tiles.size(); ++t) {
    for (const TileOp& op : programs_.tiles[t].ops.items()) {
      check(op.kind != OpKind::RepeatBegin, "each step stands once, outside any Repeat");
      parts_[indexOf(op.step)].push_back({t, op, {}, false});
    }
  }
  result_.tiles = static_cast<std::uint32_t>(now_.size());
  forget();
}

void StepClock::forget() {
  result_.busy.assign(std::size_t{programs_.steps} * now_.size(), Cycles(0));
  plays_.assign(programs_.steps, 0);
}

void StepClock::startRecord() {
  records_ = true;
  first_programs_ = programs_;
  record_.changes.resize(now_.size());
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

const TileOp* StepClock::meetingIn(StepId step) const {
  const std::vector<TimedOp>& parts = parts_[indexOf(step)];
  if (!programs_.in_pod || parts.empty()) return nullptr;
  const TileOp& op = parts.front().op;
  const bool meets = op.kind == OpKind::GlobalExchange || op.kind == OpKind::RemoteBegin;
  return meets ? &op : nullptr;
}

void StepClock::passGlobalExchange(StepId step, Cycles release) {
  note(step);
  goOnAfter(step, release);
}

void StepClock::passRemoteBegin(StepId step, Cycles begin, Cycles end) {
  note(step);
  remote_end_ = end.value();
  goOnAfter(step, begin);
}

void StepClock::goOnAfter(StepId step, Cycles release) {
  for (std::uint32_t t = 0; t < now_.size(); ++t) {
    moveTo(t, step, (release + programs_.timing.sync_distance[t]).value());
  }
}

void StepClock::hold(Cycles release) {
  release_ = release.value();
  for (std::size_t t = 0; t < now_.size(); ++t) {
    now_[t] = (release + programs_.timing.sync_distance[t]).value();
  }
}

void StepClock::play(StepId step) {
  note(step);
  std::vector<TimedOp>& parts = parts_[indexOf(step)];
  if (parts.empty()) return;
  if (parts.front().op.kind == OpKind::RemoteBegin) return remoteBegin(parts.front().op);
  if (parts.front().op.kind != OpKind::Sync) {
    for (TimedOp& part : parts) play(part);
    return;
  }
  const std::vector<std::uint64_t> before = now_;
  release();
  for (std::size_t t = 0; t < now_.size(); ++t) {
    result_.busy[indexOf(step) * now_.size() + t] += Cycles(now_[t] - before[t]);
  }
}

void StepClock::play(TimedOp& part) {
  const TileProgram& program = programs_.tiles[part.tile];
  const std::uint64_t now = now_[part.tile];
  const auto after_release = [&](std::uint64_t cycles) {
    moveTo(part.tile, part.op.step, std::max(now, release_ + cycles));
  };
  switch (part.op.kind) {
    case OpKind::Compute: {
      if (!part.is_known) {
        const VertexRun* first = program.vertices.data() + part.op.first;
        part.duration = compute_clock_.duration(first, first + part.op.count);
        part.is_known = true;
      }
      return moveTo(part.tile, part.op.step, now + part.duration.value());
    }
    case OpKind::ComputeMeasured:
    case OpKind::ExchangeMeasured:
      return moveTo(part.tile, part.op.step, now + program.waits[part.op.first].value());
    case OpKind::Exchange:
      return after_release(port_clock_.end(part.tile, part.op.first, Cycles(release_)));
    case OpKind::ExchangeBound:
      return after_release(program.waits[part.op.first].value());
    case OpKind::HostTransfer:
      return after_release(programs_.host_transfers[part.op.first].cycles.value());
    case OpKind::RemoteEnd:
      return moveTo(part.tile, part.op.step, std::max(now, remote_end_));
    case OpKind::Sync:
    case OpKind::RemoteBegin:
    case OpKind::GlobalExchange:
    case OpKind::RepeatBegin:
    case OpKind::RepeatEnd:
      break;
  }
  throw InternalError("a step that tiles do not run one by one");
}

void StepClock::remoteBegin(const TileOp& op) {
  const Cycles begin = Cycles(release_) + programs_.timing.streaming.sync;
  remote_end_ = remoteEnd({&programs_}, op.first, begin).value();
}

void StepClock::sync() {
  if (records_) record_.order.push_back(StepRecord::kMeeting);
  release();
}

void StepClock::release() {
  const ChipTiming& timing = programs_.timing;
  std::uint64_t last_request = 0;
  for (std::size_t t = 0; t < now_.size(); ++t) {
    last_request = std::max(last_request, now_[t] + timing.sync_distance[t].value());
  }
  release_ = last_request + timing.sync_base.value();
  port_clock_.freeAll();
  for (std::size_t t = 0; t < now_.size(); ++t) {
    now_[t] = release_ + timing.sync_distance[t].value();
  }
}

void StepClock::moveTo(std::uint32_t tile, StepId step, std::uint64_t cycle) {
  if (cycle > kLastCycle.value()) throwCountError();
  result_.busy[indexOf(step) * now_.size() + tile] += Cycles(cycle - now_[tile]);
  now_[tile] = cycle;
}

Cycles StepClock::end() const {
  return Cycles(*std::max_element(now_.begin(), now_.end()));
}

}  // namespace ipusim::models
