// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/chip/tile.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "models/ipu/chip/ticks.h"

namespace ipusim::models {

namespace {
constexpr std::ptrdiff_t kOpsAhead = 2;  // a cache line on
}  // namespace

Tile::Tile(const sc_core::sc_module_name& name, std::uint32_t tile, const ChipPrograms& programs,
           ChipResult& result, Fault& fault, Observer* observer)
    : sc_module(name),
      tile_(tile),
      programs_(programs),
      program_(programs.tiles[tile]),
      result_(result),
      fault_(fault),
      observer_(observer),
      contexts_(programs.timing),
      next_(program_.ops.data()),
      end_(next_ + program_.ops.size()) {
  SC_METHOD(run);
}

void Tile::run() {
  if (asked_for_ != nullptr) passSync();
  while (next_ != end_ && asked_for_ == nullptr) execute(*next_++);
  if (finished()) result_.finish[tile_] = local_time_;
}

void Tile::execute(const TileOp& op) {
  switch (op.kind) {
    case OpKind::Compute:
      return compute(op);
    case OpKind::Sync:
      return askForSync(op);
    case OpKind::Exchange:
      return spend(op, std::max(local_time_, exchange->play(tile_, op, sync_passed_, weight_)));
    case OpKind::ExchangeBound:
      return fault_.raise("a chip plays transmissions, and no ExchangeBound");
    case OpKind::HostTransfer:
      return transfer(op);
    case OpKind::RepeatBegin:
      return beginRepeat(op);
    case OpKind::RepeatEnd:
      return endIteration();
  }
}

void Tile::askForSync(const TileOp& op) {
  asked_for_ = &op;
  sync->ask(tile_, local_time_);
  next_trigger(sync->released(tile_));
  fetchAhead();
}

/// All programs together do not fit a cache, and every other tile runs before this one does again:
/// the ops of the next superstep may be fetched meanwhile.
void Tile::fetchAhead() const {
  __builtin_prefetch(next_);
  __builtin_prefetch(next_ + std::min<std::ptrdiff_t>(kOpsAhead, end_ - next_));
}

void Tile::passSync() {
  const TileOp& op = *asked_for_;
  asked_for_ = nullptr;
  sync_passed_.release = sync->lastRelease();
  ++sync_passed_.number;
  if (speaksForAll()) {
    const Cycles release = sync_passed_.release;
    const Cycles last_request = excess(release, programs_.timing.sync_base);
    observer_->sync({op.step, last_request, release, weight_});
  }
  spend(op, currentCycle());
}

void Tile::compute(const TileOp& op) {
  const VertexRun* vertices = program_.vertices.data() + op.first;
  spend(op, contexts_.run(vertices, vertices + op.count, local_time_));
}

void Tile::transfer(const TileOp& op) {
  const Cycles release = sync_passed_.release;
  const Cycles end = host->transfer(release, programs_.host_transfers[op.first].cycles);
  if (speaksForAll()) observer_->hostTransfer(op.first, {op.step, release, end, weight_});
  spend(op, std::max(local_time_, end));
}

void Tile::beginRepeat(const TileOp& op) {
  repeats_.push_back({next_, op.iterations, 1, weight_, sync_passed_.number, local_time_});
  ++iterations_;
}

/// The second iteration stands for all that follow: its cycles are booked for all of them, and at
/// its end the tile's time moves on by theirs. LoopControl says why that is exact.
void Tile::endIteration() {
  Repeat& repeat = repeats_.back();
  if (repeat.iteration == 1 && repeat.iterations > 1) {
    repeat.iteration = 2;
    repeat.began = local_time_;
    weight_ = iterationsInside(weight_, repeat.iterations - 1);
    next_ = repeat.body;
    ++iterations_;
    return;
  }
  if (repeat.iterations > 2) skipTheRest(repeat);
  weight_ = repeat.weight_outside;
  repeats_.pop_back();
}

void Tile::skipTheRest(const Repeat& repeat) {
  const Cycles length = excess(local_time_, repeat.began);
  const std::uint64_t rest = repeat.iterations - 2;
  if (length > Cycles(0) && rest > excess(kLastCycle, local_time_).value() / length.value()) {
    return fault_.raiseTooLong();
  }
  const Cycles skipped = rest * length;
  if (sync_passed_.number != repeat.syncs_before) {
    loops->settle(tile_, length);
    sync_passed_.release += skipped;
  }
  local_time_ += skipped;
}

/// The tile is busy with `op` until `cycle`.
void Tile::spend(const TileOp& op, Cycles cycle) {
  if (cycle > kLastCycle) return fault_.raiseTooLong();
  const Cycles spent = excess(cycle, local_time_);
  Cycles& busy = result_.busy[indexOf(op.step) * result_.tiles + tile_];
  std::uint64_t booked = 0;
  if (__builtin_mul_overflow(spent.value(), weight_, &booked) ||
      Cycles(booked) > excess(kLastCycle, busy)) {
    return fault_.raiseTooLong();
  }
  busy += Cycles(booked);
  if (observer_ != nullptr && spent > Cycles(0)) {
    observer_->busy(TileId(tile_), op.kind, {op.step, local_time_, cycle, weight_});
  }
  local_time_ = cycle;
  ++ops_;
}

}  // namespace ipusim::models
