// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/closed_form/closed_form.h"

#include <algorithm>
#include <vector>

#include "ipusim/error.h"
#include "models/ipu/closed_form/closed_form_remote.h"
#include "models/ipu/closed_form/recurrence.h"

namespace ipusim::models {

namespace {

constexpr std::uint64_t kEndOfTime = kLastCycle.value();

}  // namespace

Recurrence::Recurrence(const ChipPrograms& programs, Observer* observer)
    : programs_(programs),
      observer_(observer),
      told_(observer == nullptr ? 0 : programs.exchanges.size()),
      compute_clock_(programs.timing),
      port_clock_(programs),
      tiles_(programs.tiles.size()),
      spans_(programs.tiles.size()) {
  result_.tiles = static_cast<std::uint32_t>(tiles_.size());
  result_.busy.resize(std::size_t{programs.steps} * tiles_.size());
  result_.spans.resize(programs.steps);
}

const TileOp* Recurrence::advance() {
  for (;;) {
    for (std::size_t tile = 0; tile < tiles_.size(); ++tile) sweep(tile);
    const TileOp* op = meeting();
    const bool waits_for_pod =
        op != nullptr && (op->kind == OpKind::GlobalExchange || op->kind == OpKind::RemoteBegin);
    if (op == nullptr || waits_for_pod) return op;
    passMeeting();
    if (op->kind == OpKind::Sync) {
      sync();
    } else if (op->kind == OpKind::RepeatBegin) {
      openRepeat(op->iterations);
    } else {
      endIteration();
    }
  }
}

void Recurrence::passGlobalExchange(Cycles release) {
  passMeeting();
  goOnAfter(release);
}

void Recurrence::passRemoteBegin(Cycles begin, Cycles end) {
  const StepId step = meeting()->step;
  passMeeting();
  remote_end_ = end.value();
  if (programs_.in_pod) return goOnAfter(begin);
  for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
    const Cycles now(tiles_[tile].now);
    spans_[tile].record(step, now, now, result_.spans);
  }
}

ChipResult Recurrence::takeResult() {
  for (const TileState& tile : tiles_) result_.finish.emplace_back(tile.now);
  result_.end = *std::max_element(result_.finish.begin(), result_.finish.end());
  return std::move(result_);
}

/// The meeting point that all tiles have reached; null at the end of the program.
const TileOp* Recurrence::meeting() const {
  const std::vector<TileOp>& ops = programs_.tiles.front().ops.items();
  const std::size_t next = tiles_.front().op;
  return next < ops.size() ? &ops[next] : nullptr;
}

void Recurrence::passMeeting() {
  for (TileState& tile : tiles_) ++tile.op;
}

/// Each tile was held at the meeting that it has just passed, until the release reaches it.
void Recurrence::goOnAfter(Cycles release) {
  for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
    const Cycles cycle = release + programs_.timing.sync_distance[tile];
    moveTo(tile, programs_.tiles[tile].ops[tiles_[tile].op - 1], cycle.value());
  }
}

/// Takes one tile to its next meeting point.
void Recurrence::sweep(std::size_t tile) {
  const TileProgram& program = programs_.tiles[tile];
  const std::vector<TileOp>& ops = program.ops.items();
  for (std::size_t& next = tiles_[tile].op; next < ops.size(); ++next) {
    const TileOp& op = ops[next];
    if (op.kind == OpKind::Compute) {
      compute(tile, op);
    } else if (op.kind == OpKind::Exchange) {
      exchange(static_cast<std::uint32_t>(tile), op);
    } else if (op.kind == OpKind::ExchangeBound) {
      waitAfterRelease(tile, op, program.waits[op.first].value());
    } else if (op.kind == OpKind::ComputeMeasured || op.kind == OpKind::ExchangeMeasured) {
      moveTo(tile, op, tiles_[tile].now + program.waits[op.first].value());
    } else if (op.kind == OpKind::HostTransfer) {
      hostTransfer(tile, op);
    } else if (op.kind == OpKind::RemoteEnd) {
      moveTo(tile, op, std::max(tiles_[tile].now, remote_end_));
    } else {
      return;
    }
  }
}

void Recurrence::exchange(std::uint32_t tile, const TileOp& op) {
  const std::uint64_t end = port_clock_.end(tile, op.first, Cycles(release_));
  if (observer_ != nullptr) tellTransmissions(op);
  waitAfterRelease(tile, op, end);
}

/// The first tile that comes to an exchange after a Sync tells the observer of it.
void Recurrence::tellTransmissions(const TileOp& op) {
  if (told_[op.first] == syncs_) return;
  told_[op.first] = syncs_;
  const Exchange& exchange = programs_.exchanges[op.first];
  for (std::uint32_t t = exchange.first; t < exchange.first + exchange.count; ++t) {
    const Transmission& transmission = programs_.transmissions[t];
    const Cycles distance = programs_.timing.sync_distance[transmission.from.tile()];
    const Cycles begin = Cycles(release_) + distance + transmission.start;
    observer_->transmission(t, {op.step, begin, begin + transmission.length, weight_});
  }
}

void Recurrence::hostTransfer(std::size_t tile, const TileOp& op) {
  const Cycles cycles = programs_.host_transfers[op.first].cycles;
  if (observer_ != nullptr && tile == 0) {
    const Cycles release(release_);
    observer_->hostTransfer(op.first, {op.step, release, release + cycles, weight_});
  }
  waitAfterRelease(tile, op, cycles.value());
}

void Recurrence::waitAfterRelease(std::size_t tile, const TileOp& op, std::uint64_t cycles) {
  moveTo(tile, op, std::max(tiles_[tile].now, release_ + cycles));
}

/// Moves the tile's time to `cycle`, and counts the cycles for `op`.
void Recurrence::moveTo(std::size_t tile, const TileOp& op, std::uint64_t cycle) {
  if (cycle > kEndOfTime) throwCountError();
  result_.busy[indexOf(op.step) * tiles_.size() + tile] += Cycles(cycle - tiles_[tile].now);
  spans_[tile].record(op.step, Cycles(tiles_[tile].now), Cycles(cycle), result_.spans);
  if (observer_ != nullptr && cycle > tiles_[tile].now) {
    const TileId id(static_cast<std::uint32_t>(tile));
    observer_->busy(id, op.kind, {op.step, Cycles(tiles_[tile].now), Cycles(cycle), weight_});
  }
  tiles_[tile].now = cycle;
  ++result_.tile_steps;
}

void Recurrence::compute(std::size_t tile, const TileOp& op) {
  const VertexRun* vertices = programs_.tiles[tile].vertices.data() + op.first;
  const Cycles duration = compute_clock_.duration(vertices, vertices + op.count);
  moveTo(tile, op, tiles_[tile].now + duration.value());
}

/// release = max over tiles (arrival + distance) + base. A tile goes on at release + distance.
void Recurrence::sync() {
  const ChipTiming& timing = programs_.timing;
  std::uint64_t last_request = 0;
  for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
    last_request = std::max(last_request, tiles_[tile].now + timing.sync_distance[tile].value());
  }
  release_ = last_request + timing.sync_base.value();
  ++syncs_;
  port_clock_.freeAll();
  if (observer_ != nullptr) {
    const StepId step = programs_.tiles.front().ops[tiles_.front().op - 1].step;
    observer_->sync({step, Cycles(last_request), Cycles(release_), weight_});
  }
  for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
    TileState& state = tiles_[tile];
    moveTo(tile, programs_.tiles[tile].ops[state.op - 1],
           release_ + timing.sync_distance[tile].value());
  }
}

void Recurrence::openRepeat(std::uint64_t iterations) {
  OpenRepeat repeat{};
  repeat.iterations = iterations;
  repeat.weight_outside = weight_;
  repeat.began = tiles_;
  findSteps(repeat);
  beginIteration(repeat);
  repeats_.push_back(std::move(repeat));
  for (SpanRecorder& tile : spans_) tile.beginRepeat();
}

void Recurrence::findSteps(OpenRepeat& repeat) const {
  repeat.first_step = programs_.steps;
  repeat.last_step = 0;
  for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
    std::size_t depth = 1;
    for (const TileOp* op = &programs_.tiles[tile].ops[tiles_[tile].op]; depth > 0; ++op) {
      if (op->kind == OpKind::RepeatBegin) {
        ++depth;
      } else if (op->kind == OpKind::RepeatEnd) {
        --depth;
      } else {
        repeat.first_step = std::min(repeat.first_step, indexOf(op->step));
        repeat.last_step = std::max(repeat.last_step, indexOf(op->step) + 1);
      }
    }
  }
  repeat.last_step = std::max(repeat.first_step, repeat.last_step);
}

void Recurrence::beginIteration(OpenRepeat& repeat) {
  ++result_.iterations_simulated;
  for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
    tiles_[tile].op = repeat.began[tile].op;
  }
  repeat.began = tiles_;
  repeat.syncs_before = syncs_;
  if (repeat.iteration > 1) {
    repeat.busy_before.assign(rowOf(repeat.first_step), rowOf(repeat.last_step));
  }
}

void Recurrence::endIteration() {
  OpenRepeat& repeat = repeats_.back();
  if (repeat.iteration < repeat.iterations) {
    if (repeat.iteration == 1 || !repeatsItself(repeat)) {
      // The observer takes the second iteration for all that follow.
      check(observer_ == nullptr || repeat.iteration == 1, "an iteration is unlike the second");
      weight_ = iterationsInside(repeat.weight_outside, repeat.iterations - 1);
      repeat.lengths.resize(tiles_.size());
      for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
        repeat.lengths[tile] = lengthOf(repeat, tile);
      }
      for (SpanRecorder& tile : spans_) tile.beginNextIteration();
      ++repeat.iteration;
      beginIteration(repeat);
      return;
    }
    multiply(repeat);
  }
  weight_ = repeat.weight_outside;
  for (SpanRecorder& tile : spans_) tile.endRepeat(result_.spans);
  repeats_.pop_back();
}

/// True when the iteration left the chip as the one before left it, moved in time. With a Sync in
/// the body, all tiles must have taken equally long. Without one, no tile affects another, and each
/// must have taken as long as in the iteration before.
bool Recurrence::repeatsItself(const OpenRepeat& repeat) const {
  const bool synced = syncs_ != repeat.syncs_before;
  for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
    const std::uint64_t expected = synced ? lengthOf(repeat, 0) : repeat.lengths[tile];
    if (lengthOf(repeat, tile) != expected) return false;
  }
  return true;
}

/// Adds the rest of the Repeat, whose iterations equal the last one.
void Recurrence::multiply(const OpenRepeat& repeat) {
  const std::uint64_t rest = repeat.iterations - repeat.iteration;
  const bool synced = syncs_ != repeat.syncs_before;
  const std::uint64_t length_of_all = lengthOf(repeat, 0);
  for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
    const std::uint64_t length = lengthOf(repeat, tile);
    if (length != 0 && rest > (kEndOfTime - tiles_[tile].now) / length) throwCountError();
    spans_[tile].skip(Cycles(rest * length));
    tiles_[tile].now += rest * length;
  }
  if (synced) release_ += rest * length_of_all;
  auto busy = rowOf(repeat.first_step);
  for (const Cycles before : repeat.busy_before) {
    *busy += rest * excess(*busy, before);
    ++busy;
  }
}

ChipResult closedForm(const ChipPrograms& programs, Observer* observer) {
  verify(programs);
  check(!programs.in_pod, "a chip on its own has no other chips to exchange with");
  Recurrence chip(programs, observer);
  while (const TileOp* const op = chip.advance()) {
    const Cycles begin = chip.arrival() + programs.timing.streaming.sync;
    chip.passRemoteBegin(begin, remoteEnd({&programs}, op->first, begin));
  }
  return chip.takeResult();
}

}  // namespace ipusim::models
