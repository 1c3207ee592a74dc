// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/tile_program.h"
#include "models/ipu/closed_form/closed_form_compute.h"
#include "models/ipu/closed_form/closed_form_exchange.h"
#include "models/ipu/closed_form/step_record.h"

namespace ipusim::models {

/// The time of one chip that runs the steps of a program in an order that is found on the way.
/// Between two calls the clock stands. After steps in the order of a program it shows what
/// closedForm() computes for that program. A chip of a pod stops where it meets the others, and
/// goes on when somebody passes that meeting: see PodClock.
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
  /// Lets all tiles run the step.
  void play(StepId step);
  /// All tiles meet at the controller.
  void sync();

  /// The op of that step at which the chip meets the others of its pod; null for any other step. It
  /// must not be played.
  [[nodiscard]] const TileOp* meetingIn(StepId step) const;
  /// When the chip came to the meeting: the last release of its controller.
  [[nodiscard]] Cycles arrival() const { return Cycles(release_); }
  /// Passes a GlobalExchange: the pod released its chips in that cycle.
  void passGlobalExchange(StepId step, Cycles release);
  /// Passes the RemoteBegin of a transfer from cycle `begin` to cycle `end`.
  void passRemoteBegin(StepId step, Cycles begin, Cycles end);
  /// Holds all tiles, which have just met, until a release in that cycle.
  void hold(Cycles release);

  [[nodiscard]] Cycles now(std::uint32_t tile) const { return Cycles(now_[tile]); }
  /// When the last tile is done with what was played.
  [[nodiscard]] Cycles end() const;
  /// Cycles that each tile spent in each step so far, as in ChipResult.
  [[nodiscard]] const ChipResult& result() const { return result_; }
  /// How often each step was played.
  [[nodiscard]] const std::vector<std::uint64_t>& plays() const { return plays_; }
  /// What result() and plays() count from now on begins at zero. The clock goes on.
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
  void play(TimedOp& part);
  void goOnAfter(StepId step, Cycles release);
  void remoteBegin(const TileOp& op);
  void moveTo(std::uint32_t tile, StepId step, std::uint64_t cycle);
  void release();

  ChipPrograms programs_;
  ComputeClock compute_clock_;
  PortClock port_clock_;
  std::vector<std::vector<TimedOp>> parts_;  ///< one entry per step, ascending by tile
  std::vector<std::uint64_t> now_;           ///< one entry per tile
  std::uint64_t release_ = 0;                ///< of the last sync
  std::uint64_t remote_end_ = 0;
  std::vector<std::uint64_t> plays_;
  ChipResult result_;
  bool records_ = false;
  StepRecord record_;
  std::vector<std::uint64_t> recorded_plays_;  ///< one entry per step, since startRecord()
  ChipPrograms first_programs_;
};

}  // namespace ipusim::models
