// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/observer.h"
#include "ipusim/tile_program.h"
#include "models/ipu/engines/closed_form/chip_clock.h"
#include "models/ipu/engines/closed_form/run_recorder.h"

namespace ipusim::models {

/// A Repeat that the tiles are in. The vectors have one entry per tile, unless they say otherwise.
struct OpenRepeat {
  std::uint64_t iterations;
  std::uint64_t iteration = 1;
  std::uint64_t weight_outside;
  std::vector<std::size_t> body;       // the first op of the body
  std::vector<std::uint64_t> began;    // times at the start of this iteration
  std::vector<std::uint64_t> lengths;  // lengths of the iteration before
  std::uint64_t syncs_before;
  std::size_t first_step;  // the body counts for the steps [first_step, last_step)
  std::size_t last_step;
  std::vector<Cycles> busy_before;  // entries of these steps
};

/// Drives the clock of one chip along its programs. All tiles go together from one barrier
/// (Sync, GlobalExchange, RemoteBegin, RepeatBegin, RepeatEnd, end) to the next. An iteration of a
/// Repeat that is like the one before stands for all that follow.
class Recurrence {
 public:
  /// `programs` and the observer, which may be null, must outlive the recurrence.
  Recurrence(const ChipPrograms& programs, Observer* observer);

  /// Goes on to the next GlobalExchange or RemoteBegin, which it returns, or to the end of the
  /// program: null.
  const TileOp* advance();
  /// When the chip came to the op that advance() returned.
  [[nodiscard]] Cycles arrival() const { return clock_.release(); }
  /// How many iterations of the program the current one stands for.
  [[nodiscard]] std::uint64_t weight() { return clock_.recorder().weight(); }
  /// Passes the op that advance() returned: see ChipClock.
  void passGlobalExchange(const TileOp& op, Cycles release);
  void passRemoteBegin(const TileOp& op, Cycles begin, Cycles end);
  /// Gives away what was measured, after the end of the program.
  [[nodiscard]] ChipResult takeResult();

 private:
  [[nodiscard]] const TileOp* barrier() const;
  void passBarrier();
  void sweep(std::uint32_t tile);
  void openRepeat(std::uint64_t iterations);
  void endIteration();
  void beginIteration(OpenRepeat& repeat);
  [[nodiscard]] bool repeatsItself(const OpenRepeat& repeat) const;
  void multiply(const OpenRepeat& repeat);
  void findSteps(OpenRepeat& repeat) const;

  [[nodiscard]] std::uint32_t tiles() const { return static_cast<std::uint32_t>(next_.size()); }
  /// The op that the tile has just passed.
  [[nodiscard]] const TileOp& passedBy(std::uint32_t tile) const {
    return programs_.tiles[tile].ops[next_[tile] - 1];
  }
  [[nodiscard]] std::uint64_t lengthOf(const OpenRepeat& repeat, std::uint32_t tile) const {
    return clock_.now(tile) - repeat.began[tile];
  }
  [[nodiscard]] std::vector<Cycles>::iterator rowOf(std::size_t step) {
    return clock_.busy().begin() + static_cast<std::ptrdiff_t>(step * next_.size());
  }

  const ChipPrograms& programs_;
  ChipClock<RunRecorder> clock_;
  std::vector<std::size_t> next_;  // index of the next op of each tile
  std::vector<OpenRepeat> repeats_;
  std::uint64_t iterations_simulated_ = 0;
};

}  // namespace ipusim::models
