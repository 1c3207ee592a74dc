// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/closed_form/recurrence.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ipusim/error.h"
#include "models/ipu/engines/closed_form/chip_barriers.h"

namespace ipusim::models {

namespace {

constexpr std::uint64_t kEndOfTime = kLastCycle.value();

}  // namespace

Recurrence::Recurrence(const ChipPrograms& programs, Observer* observer)
    : programs_(programs),
      clock_(programs, RunRecorder(programs, observer)),
      next_(programs.tiles.size()) {}

const TileOp* Recurrence::advance() {
  for (;;) {
    for (std::uint32_t tile = 0; tile < tiles(); ++tile) sweep(tile);
    const TileOp* op = barrier();
    if (op == nullptr || ChipBarriers::areAt(op->kind)) return op;
    passBarrier();
    if (op->kind == OpKind::Sync) {
      clock_.sync([this](std::uint32_t tile) -> const TileOp& { return passedBy(tile); });
    } else if (op->kind == OpKind::RepeatBegin) {
      openRepeat(op->iterations);
    } else {
      endIteration();
    }
  }
}

void Recurrence::passGlobalExchange(const TileOp& /*op*/, Cycles release) {
  passBarrier();
  clock_.passGlobalExchange(release,
                            [this](std::uint32_t tile) -> const TileOp& { return passedBy(tile); });
}

void Recurrence::passRemoteBegin(const TileOp& /*op*/, Cycles begin, Cycles end) {
  passBarrier();
  clock_.passRemoteBegin(begin, end,
                         [this](std::uint32_t tile) -> const TileOp& { return passedBy(tile); });
}

ChipResult Recurrence::takeResult() {
  ChipResult result;
  result.tiles = tiles();
  for (const std::uint64_t now : clock_.now()) result.finish.emplace_back(now);
  result.end = *std::max_element(result.finish.begin(), result.finish.end());
  result.busy = std::move(clock_.busy());
  result.spans = clock_.recorder().takeSpans();
  result.tile_steps = clock_.recorder().tileSteps();
  result.iterations_simulated = iterations_simulated_;
  return result;
}

/// The barrier that all tiles have reached; null at the end of the program.
const TileOp* Recurrence::barrier() const {
  const std::vector<TileOp>& ops = programs_.tiles.front().ops.items();
  const std::size_t next = next_.front();
  return next < ops.size() ? &ops[next] : nullptr;
}

void Recurrence::passBarrier() {
  for (std::size_t& next : next_) ++next;
}

/// Takes one tile to its next barrier.
void Recurrence::sweep(std::uint32_t tile) {
  const std::vector<TileOp>& ops = programs_.tiles[tile].ops.items();
  std::size_t next = next_[tile];
  while (next < ops.size() && clock_.run(tile, ops[next])) ++next;
  next_[tile] = next;
}

void Recurrence::openRepeat(std::uint64_t iterations) {
  OpenRepeat repeat{};
  repeat.iterations = iterations;
  repeat.weight_outside = weight();
  repeat.body = next_;
  findSteps(repeat);
  beginIteration(repeat);
  repeats_.push_back(std::move(repeat));
  clock_.recorder().beginRepeat();
}

void Recurrence::findSteps(OpenRepeat& repeat) const {
  repeat.first_step = programs_.steps;
  repeat.last_step = 0;
  for (std::uint32_t tile = 0; tile < tiles(); ++tile) {
    std::size_t depth = 1;
    for (const TileOp* op = &programs_.tiles[tile].ops[next_[tile]]; depth > 0; ++op) {
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
  ++iterations_simulated_;
  next_ = repeat.body;
  repeat.began = clock_.now();
  repeat.syncs_before = clock_.syncs();
  if (repeat.iteration > 1) {
    repeat.busy_before.assign(rowOf(repeat.first_step), rowOf(repeat.last_step));
  }
}

void Recurrence::endIteration() {
  OpenRepeat& repeat = repeats_.back();
  if (repeat.iteration < repeat.iterations) {
    if (repeat.iteration == 1 || !repeatsItself(repeat)) {
      // The observer takes the second iteration for all that follow.
      check(!clock_.recorder().isHeard() || repeat.iteration == 1,
            "an iteration is unlike the second");
      clock_.recorder().setWeight(iterationsInside(repeat.weight_outside, repeat.iterations - 1));
      repeat.lengths.resize(tiles());
      for (std::uint32_t tile = 0; tile < tiles(); ++tile) {
        repeat.lengths[tile] = lengthOf(repeat, tile);
      }
      clock_.recorder().beginNextIteration();
      ++repeat.iteration;
      beginIteration(repeat);
      return;
    }
    multiply(repeat);
  }
  clock_.recorder().setWeight(repeat.weight_outside);
  clock_.recorder().endRepeat();
  repeats_.pop_back();
}

/// True when the iteration left the chip as the one before left it, moved in time. With a Sync in
/// the body, all tiles must have taken equally long. Without one, no tile affects another, and each
/// must have taken as long as in the iteration before.
bool Recurrence::repeatsItself(const OpenRepeat& repeat) const {
  const bool synced = clock_.syncs() != repeat.syncs_before;
  for (std::uint32_t tile = 0; tile < tiles(); ++tile) {
    const std::uint64_t expected = synced ? lengthOf(repeat, 0) : repeat.lengths[tile];
    if (lengthOf(repeat, tile) != expected) return false;
  }
  return true;
}

/// Adds the rest of the Repeat, whose iterations equal the last one.
void Recurrence::multiply(const OpenRepeat& repeat) {
  const std::uint64_t rest = repeat.iterations - repeat.iteration;
  const bool synced = clock_.syncs() != repeat.syncs_before;
  const std::uint64_t length_of_all = lengthOf(repeat, 0);
  for (std::uint32_t tile = 0; tile < tiles(); ++tile) {
    const std::uint64_t length = lengthOf(repeat, tile);
    if (length != 0 && rest > (kEndOfTime - clock_.now(tile)) / length) throwCountError();
    clock_.recorder().skip(tile, Cycles(rest * length));
    clock_.skip(tile, rest * length);
  }
  if (synced) clock_.skipRelease(rest * length_of_all);
  auto busy = rowOf(repeat.first_step);
  for (const Cycles before : repeat.busy_before) {
    *busy += rest * excess(*busy, before);
    ++busy;
  }
}

}  // namespace ipusim::models
