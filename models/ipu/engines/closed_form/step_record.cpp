// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/closed_form/step_record.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ipusim/error.h"

namespace ipusim::models {
namespace {

/// The ops of a barrier of all tiles that is no step.
std::vector<TileOp> barrierIn(const ChipPrograms& steps) {
  const auto step = static_cast<StepId>(steps.steps);
  std::vector<TileOp> ops{{OpKind::Sync, step}};
  if (steps.in_pod) ops.push_back({OpKind::GlobalExchange, step, steps.global_exchanges});
  return ops;
}

/// Writes the program of one tile.
class TileReplay {
 public:
  TileReplay(const TileProgram& steps, const std::vector<CycleChange>& changes,
             std::uint32_t step_count)
      : now_(steps.vertices),
        changes_(changes),
        ops_of_(step_count),
        plays_(step_count, 0),
        placed_(step_count) {
    for (const TileOp& op : steps.ops.items()) ops_of_[indexOf(op.step)].push_back(op);
    replayed_.waits = steps.waits;
  }

  void play(std::uint32_t step) {
    change(step, plays_[step]++);
    for (TileOp op : ops_of_[step]) {
      if (op.kind == OpKind::Compute) op.first = placeOf(step, op);
      ops_.push_back(op);
    }
  }

  void add(const std::vector<TileOp>& ops) { ops_.insert(ops_.end(), ops.begin(), ops.end()); }

  TileProgram take() {
    replayed_.ops = std::move(ops_);
    return std::move(replayed_);
  }

 private:
  /// Changes the cycles that hold from this play on.
  void change(std::uint32_t step, std::uint64_t play) {
    for (; next_ < changes_.size(); ++next_) {
      const CycleChange& change = changes_[next_];
      if (indexOf(change.step) != step || change.play != play) return;
      const std::vector<TileOp>& ops = ops_of_[step];
      check(
          ops.size() == 1 && ops.front().kind == OpKind::Compute && change.run < ops.front().count,
          "cycles of a vertex that the tile does not have");
      now_[ops.front().first + change.run].cycles = change.cycles;
      placed_[step].reset();
    }
  }

  /// Where the vertices of the step stand in the replayed program with the cycles that hold now.
  /// Plays with equal cycles share them.
  std::uint32_t placeOf(std::uint32_t step, const TileOp& op) {
    if (!placed_[step]) {
      placed_[step] = static_cast<std::uint32_t>(replayed_.vertices.size());
      const auto first = now_.begin() + op.first;
      replayed_.vertices.insert(replayed_.vertices.end(), first, first + op.count);
    }
    return *placed_[step];
  }

  std::vector<VertexRun> now_;
  const std::vector<CycleChange>& changes_;
  std::size_t next_ = 0;
  std::vector<std::vector<TileOp>> ops_of_;
  std::vector<std::uint64_t> plays_;
  std::vector<std::optional<std::uint32_t>> placed_;  // one entry per step
  std::vector<TileOp> ops_;
  TileProgram replayed_;
};

/// Takes the messages out of exchanges that no tile has: those of steps that were not played.
void emptyUnplayed(ChipPrograms& programs) {
  std::vector<bool> played(programs.exchanges.size(), false);
  for (const TileProgram& tile : programs.tiles) {
    for (const TileOp& op : tile.ops.items()) {
      if (op.kind == OpKind::Exchange) played[op.first] = true;
    }
  }
  for (std::size_t e = 0; e < played.size(); ++e) {
    if (!played[e]) programs.exchanges[e].count = 0;
  }
}

}  // namespace

ChipPrograms replayOf(const ChipPrograms& steps, const StepRecord& record,
                      std::uint64_t most_steps) {
  if (record.order.size() > most_steps) throwCountError();
  check(record.changes.size() == steps.tiles.size(), "a record of another program");
  const std::vector<TileOp> barrier = barrierIn(steps);
  ChipPrograms replayed = steps;
  ++replayed.steps;
  if (steps.in_pod) ++replayed.global_exchanges;
  for (std::size_t t = 0; t < steps.tiles.size(); ++t) {
    TileReplay tile(steps.tiles[t], record.changes[t], steps.steps);
    for (const std::uint32_t step : record.order) {
      if (step == StepRecord::kBarrier) {
        tile.add(barrier);
      } else {
        tile.play(step);
      }
    }
    replayed.tiles[t] = tile.take();
  }
  shareEqualOps(replayed.tiles);
  emptyUnplayed(replayed);
  return replayed;
}

SystemPrograms replayOf(const RecordedRun& run, std::uint64_t most_steps) {
  check(run.programs.chips.size() == run.ipus.size(), "a record for each program");
  SystemPrograms replayed;
  replayed.exchanges = run.programs.exchanges;
  replayed.link_sets = run.programs.link_sets;
  for (std::size_t ipu = 0; ipu < run.ipus.size(); ++ipu) {
    addIpu(replayOf(run.programs.chips[ipu], run.ipus[ipu], most_steps), replayed);
  }
  const ChipPrograms& first = replayed.chips.front();
  if (first.in_pod) replayed.exchanges.push_back({first.timing.streaming.sync, Cycles(0), {}});
  return replayed;
}

}  // namespace ipusim::models
