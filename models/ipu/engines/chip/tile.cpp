// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/chip/tile.h"

#include <algorithm>
#include <cstddef>

#include "models/ipu/engines/chip/report.h"

namespace ipusim::models {

namespace {
constexpr std::ptrdiff_t kOpsAhead = 3;  // of a superstep
}  // namespace

Tile::Tile(const sc_core::sc_module_name& name, std::uint32_t tile, const ChipPrograms& programs,
           const Setup& setup)
    : sc_module(name),
      sync("sync"),
      exchange("exchange"),
      host("host"),
      pod("pod"),
      streaming("streaming"),
      loops("loops"),
      next_(programs.tiles[tile].ops.data()),
      end_(next_ + programs.tiles[tile].ops.size()),
      vertices_(programs.tiles[tile].vertices.data()),
      tile_(tile),
      programs_(programs),
      result_(setup.result),
      observer_(setup.observer),
      contexts_(programs.timing),
      clock_(programs.timing.clock_hz) {
  if (setup.signals) signals_ = std::make_unique<TileSignals>();
  SC_METHOD(run);
  process_ = sc_core::sc_get_last_created_process_handle();
}

Tile::~Tile() {
  constexpr int kHasRun = sc_core::SC_RUNNING | sc_core::SC_PAUSED | sc_core::SC_STOPPED;
  if ((sc_core::sc_get_status() & kHasRun) != 0) process_.kill();  // none before it runs
}

void Tile::end_of_elaboration() {
  sync_network_ = sync.operator->();
  fabric_ = exchange.operator->();
}

void Tile::run() {
  if (waits_) resume();
  while (next_ != end_ && !waits_) execute(*next_++);
  if (finished()) finish();
}

void Tile::resume() {
  const TileOp& op = waits_for_;
  waits_ = false;
  if (op.kind == OpKind::Sync) {
    passSync(op);
  } else if (op.kind == OpKind::GlobalExchange || op.kind == OpKind::RemoteBegin) {
    passPod(op);
  } else if (op.kind == OpKind::RemoteEnd) {
    passRemoteEnd(op);
  } else {
    passHostTransfer(op);
  }
}

/// Called at the end of the program. The tile may be ahead of the kernel's time, which must not end
/// before the program does.
void Tile::finish() {
  result_.finish[tile_] = local_time_;
  if (ended_) return;
  ended_ = true;
  next_trigger(clock_.untilCycle(local_time_));
}

void Tile::execute(const TileOp& op) {
  switch (op.kind) {
    case OpKind::Compute:
      return compute(op);
    case OpKind::ComputeMeasured:
    case OpKind::ExchangeMeasured:
      return spend(op, local_time_ + programs_.tiles[tile_].waits[op.first]);
    case OpKind::Sync:
      return askForSync(op);
    case OpKind::Exchange:
      return spend(op, std::max(local_time_, fabric_->play(tile_, op, sync_passed_, weight_)));
    case OpKind::ExchangeBound:
      return reportError(kProgramReport, "a chip plays transmissions, and no ExchangeBound");
    case OpKind::HostTransfer:
      return waitForHost(op);
    case OpKind::GlobalExchange:
      return waitForPod(op);
    case OpKind::RemoteBegin:
      return beginRemote(op);
    case OpKind::RemoteEnd:
      return waitForRemote(op);
    case OpKind::RepeatBegin:
      return beginRepeat(op);
    case OpKind::RepeatEnd:
      return endIteration();
  }
}

void Tile::waitFor(const TileOp& op) {
  waits_for_ = op;
  waits_ = true;
}

void Tile::askForSync(const TileOp& op) {
  waitFor(op);
  if (tile_ == 0) announceTransfer();
  sync_network_->ask(tile_, local_time_);
  next_trigger(sync_network_->released(tile_));
  fetchAhead(op);
}

/// Tells the link of the transfer that follows the Sync, if one does.
void Tile::announceTransfer() {
  const TileOp* barrier = nextBarrier();
  if (barrier == nullptr) return;
  const ExpectedTransfer transfer{barrier->kind, barrier->first, weight_};
  const bool remote = barrier->kind == OpKind::RemoteBegin;
  if (barrier->kind == OpKind::HostTransfer) host->expect(transfer);
  if (barrier->kind == OpKind::GlobalExchange || (remote && programs_.in_pod)) {
    pod->expect(transfer);
  }
  if (remote) streaming->expect(transfer);
}

/// The next op that all tiles have; null at the end of the program.
const TileOp* Tile::nextBarrier() const {
  const TileOp* op = next_;
  while (op != end_ && !isBarrier(op->kind)) ++op;
  return op != end_ ? op : nullptr;
}

/// The cycles of all steps do not fit a cache, and every other tile runs before this one does
/// again: those of the next superstep may be fetched meanwhile.
void Tile::fetchAhead(const TileOp& asked) const {
  const auto* cycles = &cyclesOf(asked.step);
  __builtin_prefetch(cycles, 1);
  const TileOp* const last = next_ + std::min<std::ptrdiff_t>(kOpsAhead, end_ - next_);
  for (const TileOp* op = next_; op != last; ++op) __builtin_prefetch(&cyclesOf(op->step), 1);
}

void Tile::passSync(const TileOp& op) {
  sync_passed_.release = sync_network_->lastRelease();
  ++sync_passed_.number;
  if (speaksForAll()) {
    const Cycles release = sync_passed_.release;
    const Cycles last_request = excess(release, programs_.timing.sync_base);
    observer_->sync({op.step, last_request, release, weight_});
  }
  spend(op, sync_passed_.release + programs_.timing.sync_distance[tile_]);
}

void Tile::compute(const TileOp& op) {
  const VertexRun* vertices = vertices_ + op.first;
  spend(op, contexts_.run(vertices, vertices + op.count, local_time_));
}

void Tile::waitForHost(const TileOp& op) {
  if (host->known() > transfers_) return passHostTransfer(op);
  waitFor(op);
  next_trigger(host->oneMoreKnown());
}

void Tile::passHostTransfer(const TileOp& op) {
  ++transfers_;
  const Cycles end = host->lastEnd();
  if (speaksForAll()) {
    observer_->hostTransfer(op.first, {op.step, sync_passed_.release, end, weight_});
  }
  spend(op, std::max(local_time_, end));
}

void Tile::waitForPod(const TileOp& op) {
  if (pod->known() > pod_barriers_) return passPod(op);
  waitFor(op);
  next_trigger(pod->oneMoreKnown());
}

void Tile::passPod(const TileOp& op) {
  ++pod_barriers_;
  spend(op, pod->lastEnd() + programs_.timing.sync_distance[tile_]);
}

/// The links have heard of the transfer with the Sync before.
void Tile::beginRemote(const TileOp& op) {
  if (programs_.in_pod) return waitForPod(op);
  spans_.record(op.step, local_time_, local_time_, result_.spans);
}

void Tile::waitForRemote(const TileOp& op) {
  if (streaming->known() > remote_transfers_) return passRemoteEnd(op);
  waitFor(op);
  next_trigger(streaming->oneMoreKnown());
}

void Tile::passRemoteEnd(const TileOp& op) {
  ++remote_transfers_;
  spend(op, std::max(local_time_, streaming->lastEnd()));
}

void Tile::beginRepeat(const TileOp& op) {
  repeats_.push_back({next_, op.iterations, 1, weight_, sync_passed_.number, local_time_});
  spans_.beginRepeat();
  ++iterations_;
}

/// Ends an iteration. The second one stands for all that follow: its cycles count for all of them,
/// and at its end the tile's time moves on by theirs. LoopControl says why this is exact.
void Tile::endIteration() {
  Repeat& repeat = repeats_.back();
  if (repeat.iteration == 1 && repeat.iterations > 1) {
    repeat.iteration = 2;
    repeat.began = local_time_;
    weight_ = iterationsInside(weight_, repeat.iterations - 1);
    next_ = repeat.body;
    spans_.beginNextIteration();
    ++iterations_;
    return;
  }
  if (repeat.iterations > 2) skipTheRest(repeat);
  weight_ = repeat.weight_outside;
  spans_.endRepeat(result_.spans);
  repeats_.pop_back();
}

void Tile::skipTheRest(const Repeat& repeat) {
  const Cycles length = excess(local_time_, repeat.began);
  const std::uint64_t rest = repeat.iterations - 2;
  if (length > Cycles(0) && rest > excess(kLastCycle, local_time_).value() / length.value()) {
    return reportTooLong();
  }
  const Cycles skipped = rest * length;
  if (sync_passed_.number != repeat.syncs_before) {
    loops->settle(tile_, length);
    sync_passed_.release += skipped;
  }
  spans_.skip(skipped);
  local_time_ += skipped;
}

/// The tile is busy with `op` until `cycle`.
void Tile::spend(const TileOp& op, Cycles cycle) {
  if (cycle > kLastCycle) return reportTooLong();
  const Cycles spent = excess(cycle, local_time_);
  Cycles& busy = cyclesOf(op.step);
  std::uint64_t booked = 0;
  if (__builtin_mul_overflow(spent.value(), weight_, &booked) ||
      Cycles(booked) > excess(kLastCycle, busy)) {
    return reportTooLong();
  }
  busy += Cycles(booked);
  spans_.record(op.step, local_time_, cycle, result_.spans);
  if (observer_ != nullptr && spent > Cycles(0)) {
    observer_->busy(TileId(tile_), op.kind, {op.step, local_time_, cycle, weight_});
  }
  local_time_ = cycle;
  ++ops_;
}

}  // namespace ipusim::models
