// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/tile_program.h"
#include "models/ipu/engines/closed_form/chip_clock.h"
#include "models/ipu/engines/closed_form/step_record.h"

namespace ipusim::models {

/// Drives the clock of one chip along steps whose order is found on the way. Between two calls the
/// clock stands. After steps in the order of a program it shows what closedForm() computes for that
/// program. The chips of a system stop where they meet, and go on when somebody passes that
/// barrier: see SystemClock.
class StepClock {
 public:
  /// The tiles of `programs` have each step once, in the order of their numbers, and no Repeat.
  /// Throws what `verify` throws.
  explicit StepClock(ChipPrograms programs);

  /// Writes down from now on what is played. Must come before the first step.
  void startRecord();
  /// What was played; empty without startRecord().
  [[nodiscard]] const StepRecord& record() const { return record_; }
  /// The programs with the cycles that held at first, for a replay.
  [[nodiscard]] const ChipPrograms& recorded() const { return first_programs_; }

  /// Sets the cycles of a vertex: `run` counts the VertexRuns of the tile in that step. Calls for
  /// different tiles may come at the same time.
  void setCycles(StepId step, std::uint32_t tile, std::uint32_t run, Cycles cycles);
  /// Lets all tiles run the step, which is none of barrierIn().
  void play(StepId step);
  /// All tiles meet at the controller.
  void sync();

  /// The op of that step at which the chips of a system meet; null for any other step.
  [[nodiscard]] const TileOp* barrierIn(StepId step) const;
  /// When the chip came to the barrier: the last release of its controller.
  [[nodiscard]] Cycles arrival() const { return clock_.release(); }
  /// Passes an op that barrierIn() returned: see ChipClock.
  void passGlobalExchange(const TileOp& op, Cycles release);
  void passRemoteBegin(const TileOp& op, Cycles begin, Cycles end);
  /// Holds all tiles, which have just met, until a release in that cycle.
  void hold(Cycles release) { clock_.hold(release); }

  [[nodiscard]] const ChipPrograms& programs() const { return programs_; }
  [[nodiscard]] Cycles now(std::uint32_t tile) const { return Cycles(clock_.now(tile)); }
  /// When the last tile is done with what was played.
  [[nodiscard]] Cycles end() const;
  /// Cycles that each tile spent in each step so far, as in ChipResult.
  [[nodiscard]] const std::vector<Cycles>& busy() const { return clock_.busy(); }
  /// How often each step was played.
  [[nodiscard]] const std::vector<std::uint64_t>& plays() const { return plays_; }
  /// What busy() and plays() count from now on begins at zero. The clock goes on.
  void forget();

 private:
  /// An op of a tile in a step.
  struct TimedOp {
    std::uint32_t tile;
    TileOp op;
    Cycles duration;  ///< of a Compute; computed where `is_known`
    bool is_known = false;
  };

  void note(StepId step);
  ChipPrograms programs_;
  ChipClock<> clock_;
  std::vector<std::vector<TimedOp>> parts_;  ///< one entry per step, ascending by tile
  std::vector<std::uint64_t> plays_;
  bool records_ = false;
  StepRecord record_;
  std::vector<std::uint64_t> recorded_plays_;  ///< one entry per step, since startRecord()
  ChipPrograms first_programs_;
};

}  // namespace ipusim::models
