// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/chip/tile.h"

#include <algorithm>
#include <string>

#include "models/ipu/chip/ticks.h"

namespace ipusim::models {

namespace {
constexpr const char* kTooLong = ": its program runs beyond the last cycle";
}

Tile::Tile(const sc_core::sc_module_name& name, std::uint32_t tile, const ChipPrograms& programs,
           ChipResult& result, Fault& fault)
    : sc_module(name),
      tile_(tile),
      program_(programs.tiles[tile]),
      result_(result),
      fault_(fault),
      contexts_(programs.timing),
      next_(program_.ops.data()),
      end_(next_ + program_.ops.size()) {
  SC_METHOD(run);
}

void Tile::run() {
  now_ = currentCycle();
  if (now_ > kLastCycle) return fault_.raise("tile " + std::to_string(tile_) + kTooLong);
  if (asked_for_ != nullptr) passSync();
  while (next_ != end_) {
    if (execute(*next_++) == Then::Wait) return;
  }
  result_.finish[tile_] = now_;
}

Tile::Then Tile::execute(const TileOp& op) {
  switch (op.kind) {
    case OpKind::Compute:
      return compute(op);
    case OpKind::Sync:
      return askForSync(op);
    case OpKind::Exchange:
      return takePart(op);
    case OpKind::RepeatBegin:
      beginRepeat(op);
      return Then::GoOn;
    case OpKind::RepeatEnd:
      return endIteration();
  }
  return Then::GoOn;
}

Tile::Then Tile::compute(const TileOp& op) {
  const VertexRun* vertices = program_.vertices.data() + op.first;
  const Cycles done = contexts_.run(vertices, vertices + op.count, now_);
  book(op, excess(done, now_));
  return waitUntil(done);
}

Tile::Then Tile::askForSync(const TileOp& op) {
  asked_for_ = &op;
  asked_ = now_;
  sync->ask(tile_);
  next_trigger(sync->released(tile_));
  return Then::Wait;
}

void Tile::passSync() {
  book(*asked_for_, excess(now_, asked_));
  asked_for_ = nullptr;
  release_ = sync->lastRelease();
  ++syncs_;
}

Tile::Then Tile::takePart(const TileOp& op) {
  const PortSchedule sends{program_.sends.data() + op.first, op.count};
  const PortSchedule receives{program_.receives.data() + op.first_receive, op.receive_count};
  const Cycles done = std::max(now_, exchange->play(tile_, sends, receives, release_));
  book(op, excess(done, now_));
  return waitUntil(done);
}

void Tile::beginRepeat(const TileOp& op) {
  repeats_.push_back({next_, op.iterations, 1, weight_, syncs_, now_});
  ++iterations_;
}

/// The second iteration stands for all that follow: its cycles are booked for all of them, and at
/// its end the tile waits for them. LoopControl says why that is exact.
Tile::Then Tile::endIteration() {
  Repeat& repeat = repeats_.back();
  if (repeat.iteration == 1 && repeat.iterations > 1) {
    repeat.iteration = 2;
    repeat.began = now_;
    repeat.syncs_before = syncs_;
    weight_ *= repeat.iterations - 1;
    next_ = repeat.body;
    ++iterations_;
    return Then::GoOn;
  }
  const Repeat ended = repeat;
  repeats_.pop_back();
  weight_ = ended.weight_outside;
  return ended.iterations > 2 ? skipTheRest(ended) : Then::GoOn;
}

Tile::Then Tile::skipTheRest(const Repeat& repeat) {
  const Cycles length = excess(now_, repeat.began);
  if (length == Cycles(0)) return Then::GoOn;
  const std::uint64_t rest = repeat.iterations - 2;
  if (rest > excess(kLastCycle, now_).value() / length.value()) {
    fault_.raise("tile " + std::to_string(tile_) + kTooLong);
    return Then::Wait;
  }
  const Cycles skipped = rest * length;
  if (syncs_ != repeat.syncs_before) {
    loops->settle(tile_, length);
    exchange->skip(tile_, skipped);
    release_ += skipped;
  }
  return waitUntil(now_ + skipped);
}

void Tile::book(const TileOp& op, Cycles cycles) {
  result_.busy[std::size_t{op.step} * result_.tiles + tile_] += cycles * weight_;
  ++ops_;
}

Tile::Then Tile::waitUntil(Cycles cycle) {
  if (cycle == now_) return Then::GoOn;
  next_trigger(ticks(excess(cycle, now_)));
  return Then::Wait;
}

}  // namespace ipusim::models
