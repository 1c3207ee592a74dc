// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/observer.h"
#include "ipusim/span_recorder.h"
#include "ipusim/tile_program.h"
#include "models/ipu/closed_form/closed_form_compute.h"
#include "models/ipu/closed_form/closed_form_exchange.h"

namespace ipusim::models {

/// The place of a tile in its program, and its time.
struct TileState {
  std::size_t op = 0;  // index of the next op
  std::uint64_t now = 0;
};

/// A Repeat that the tiles are in. The vectors have one entry per tile, unless they say otherwise.
struct OpenRepeat {
  std::uint64_t iterations;
  std::uint64_t iteration = 1;
  std::uint64_t weight_outside;
  std::vector<TileState> began;        // at the start of this iteration
  std::vector<std::uint64_t> lengths;  // lengths of the iteration before
  std::uint64_t syncs_before;
  std::size_t first_step;  // the body counts for the steps [first_step, last_step)
  std::size_t last_step;
  std::vector<Cycles> busy_before;  // entries of these steps
};

/// Computes the times of one chip. All tiles go together from one meeting point (Sync,
/// GlobalExchange, RemoteBegin, RepeatBegin, RepeatEnd, end) to the next: what a tile does in
/// between does not affect any other tile.
class Recurrence {
 public:
  Recurrence(const ChipPrograms& programs, Observer* observer);

  /// Goes on to the next GlobalExchange or RemoteBegin, which it returns, or to the end of the
  /// program: null.
  const TileOp* advance();
  /// When the chip came to the op that advance() returned.
  [[nodiscard]] Cycles arrival() const { return Cycles(release_); }
  /// How many iterations of the program the current one stands for.
  [[nodiscard]] std::uint64_t weight() const { return weight_; }
  /// Passes the GlobalExchange: the pod released its chips in that cycle.
  void passGlobalExchange(Cycles release);
  /// Passes the RemoteBegin of a transfer from cycle `begin` to cycle `end`.
  void passRemoteBegin(Cycles begin, Cycles end);
  /// Gives away what was measured, after the end of the program.
  [[nodiscard]] ChipResult takeResult();

 private:
  [[nodiscard]] const TileOp* meeting() const;
  void passMeeting();
  void goOnAfter(Cycles release);
  void sweep(std::size_t tile);
  void compute(std::size_t tile, const TileOp& op);
  void exchange(std::uint32_t tile, const TileOp& op);
  void hostTransfer(std::size_t tile, const TileOp& op);
  void waitAfterRelease(std::size_t tile, const TileOp& op, std::uint64_t cycles);
  void tellTransmissions(const TileOp& op);
  void sync();
  void openRepeat(std::uint64_t iterations);
  void endIteration();
  void beginIteration(OpenRepeat& repeat);
  [[nodiscard]] bool repeatsItself(const OpenRepeat& repeat) const;
  void multiply(const OpenRepeat& repeat);
  void findSteps(OpenRepeat& repeat) const;
  void moveTo(std::size_t tile, const TileOp& op, std::uint64_t cycle);

  [[nodiscard]] std::uint64_t lengthOf(const OpenRepeat& repeat, std::size_t tile) const {
    return tiles_[tile].now - repeat.began[tile].now;
  }
  [[nodiscard]] std::vector<Cycles>::iterator rowOf(std::size_t step) {
    return result_.busy.begin() + static_cast<std::ptrdiff_t>(step * result_.tiles);
  }

  const ChipPrograms& programs_;
  Observer* observer_;
  std::vector<std::uint64_t> told_;  // one entry per exchange: how many syncs had passed when the
                                     // observer was last told of it
  ComputeClock compute_clock_;
  PortClock port_clock_;
  std::vector<TileState> tiles_;
  std::vector<SpanRecorder> spans_;  // one entry per tile
  std::vector<OpenRepeat> repeats_;
  std::uint64_t release_ = 0;     // when the controller released the last Sync
  std::uint64_t remote_end_ = 0;  // when the last remote transfer that began ends
  std::uint64_t syncs_ = 0;
  std::uint64_t weight_ = 1;  // how many iterations the current one stands for
  ChipResult result_;
};

}  // namespace ipusim::models
