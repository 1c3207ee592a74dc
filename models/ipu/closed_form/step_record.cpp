// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/closed_form/step_record.h"

#include <utility>

#include "ipusim/error.h"

namespace ipusim::models {
namespace {

/// Writes the program of one tile.
class TileReplay {
 public:
  TileReplay(const TileProgram& steps, const std::vector<CycleChange>& changes,
             std::uint32_t step_count)
      : now_(steps.vertices), changes_(changes), ops_of_(step_count), plays_(step_count, 0) {
    for (const TileOp& op : steps.ops.items()) ops_of_[indexOf(op.step)].push_back(op);
    replayed_.waits = steps.waits;
  }

  void play(std::uint32_t step) {
    change(step, plays_[step]++);
    for (TileOp op : ops_of_[step]) {
      if (op.kind == OpKind::Compute) {
        const auto first = static_cast<std::uint32_t>(replayed_.vertices.size());
        for (std::uint32_t v = 0; v < op.count; ++v) {
          replayed_.vertices.push_back(now_[op.first + v]);
        }
        op.first = first;
      }
      ops_.push_back(op);
    }
  }

  void meet(StepId step) { ops_.push_back({OpKind::Sync, step}); }

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
      now_[ops_of_[step].front().first + change.run].cycles = change.cycles;
    }
  }

  std::vector<VertexRun> now_;
  const std::vector<CycleChange>& changes_;
  std::size_t next_ = 0;
  std::vector<std::vector<TileOp>> ops_of_;
  std::vector<std::uint64_t> plays_;
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
  ChipPrograms replayed = steps;
  ++replayed.steps;
  for (std::size_t t = 0; t < steps.tiles.size(); ++t) {
    TileReplay tile(steps.tiles[t], record.changes[t], steps.steps);
    for (const std::uint32_t step : record.order) {
      if (step == StepRecord::kMeeting) {
        tile.meet(static_cast<StepId>(steps.steps));
      } else {
        tile.play(step);
      }
    }
    replayed.tiles[t] = tile.take();
  }
  emptyUnplayed(replayed);
  return replayed;
}

}  // namespace ipusim::models
