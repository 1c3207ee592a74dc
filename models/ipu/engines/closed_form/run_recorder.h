// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/observer.h"
#include "ipusim/tile_program.h"
#include "models/ipu/program/span_recorder.h"

namespace ipusim::models {

/// Records the spans of the steps, and tells an observer what happens when.
class RunRecorder {
 public:
  /// `programs` and the observer, which may be null, must outlive the recorder.
  RunRecorder(const ChipPrograms& programs, Observer* observer);

  // What the recorder of a ChipClock hears: see NoRecorder.
  void moved(std::uint32_t tile, const TileOp& op, std::uint64_t from, std::uint64_t to) {
    tiles_[tile].record(op.step, Cycles(from), Cycles(to), spans_);
    ++tile_steps_;
    if (observer_ != nullptr && to > from) {
      observer_->busy(TileId(tile), op.kind, {op.step, Cycles(from), Cycles(to), weight_});
    }
  }
  void passed(std::uint32_t tile, const TileOp& op, std::uint64_t now) {
    tiles_[tile].record(op.step, Cycles(now), Cycles(now), spans_);
  }
  void synced(const TileOp& op, std::uint64_t last_request, std::uint64_t release) {
    ++syncs_;
    if (observer_ == nullptr) return;
    observer_->sync({op.step, Cycles(last_request), Cycles(release), weight_});
  }
  void exchanges(const TileOp& op, std::uint64_t release) {
    if (observer_ != nullptr) tellTransmissions(op, Cycles(release));
  }
  void hostTransfer(std::uint32_t tile, const TileOp& op, std::uint64_t release, Cycles cycles) {
    if (observer_ == nullptr || tile != 0) return;
    observer_->hostTransfer(op.first,
                            {op.step, Cycles(release), Cycles(release) + cycles, weight_});
  }

  /// A Repeat begins, another iteration of the innermost one, its skipped iterations, its end.
  void beginRepeat();
  void beginNextIteration();
  void skip(std::uint32_t tile, Cycles cycles) { tiles_[tile].skip(cycles); }
  void endRepeat();

  /// How many iterations the current one stands for.
  [[nodiscard]] std::uint64_t weight() const { return weight_; }
  void setWeight(std::uint64_t weight) { weight_ = weight; }
  [[nodiscard]] bool isHeard() const { return observer_ != nullptr; }

  /// Gives away the spans, one entry per step.
  [[nodiscard]] std::vector<StepSpan> takeSpans() { return std::move(spans_); }
  [[nodiscard]] std::uint64_t tileSteps() const { return tile_steps_; }

 private:
  void tellTransmissions(const TileOp& op, Cycles release);

  const ChipPrograms& programs_;
  Observer* observer_;
  std::vector<std::uint64_t> told_;  ///< one entry per exchange: how many syncs had passed when the
                                     ///< observer was last told of it
  std::uint64_t syncs_ = 0;
  std::uint64_t weight_ = 1;
  std::uint64_t tile_steps_ = 0;
  std::vector<SpanRecorder> tiles_;  ///< one entry per tile
  std::vector<StepSpan> spans_;
};

}  // namespace ipusim::models
