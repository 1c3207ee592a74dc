// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "ipusim/ids.h"
#include "ipusim/tile_program.h"
#include "ipusim/units.h"

namespace ipusim {

/// Adds what one tile does to the spans of all steps. An engine simulates some iterations of a
/// Repeat and skips the rest. Ends inside a Repeat therefore wait here until the engine says how
/// much later the last iteration ends than the last simulated one.
class SpanRecorder {
 public:
  /// The tile was in `step` from `start` to `end`.
  void record(StepId step, Cycles start, Cycles end, std::vector<StepSpan>& spans) {
    StepSpan& span = spans[indexOf(step)];
    span.start = std::min(span.start, start);
    if (repeats_.empty()) {
      span.end = std::max(span.end, end);
    } else {
      ends_.push_back({step, end});
    }
  }

  void beginRepeat() { repeats_.push_back(ends_.size()); }

  /// Another iteration of the innermost Repeat begins, so the one before was not the last.
  void beginNextIteration() { ends_.erase(firstOfRepeat(), ends_.end()); }

  /// The last iteration of the innermost Repeat is `cycles` later than the recorded one.
  void skip(Cycles cycles) {
    std::for_each(firstOfRepeat(), ends_.end(), [cycles](StepEnd& step) { step.end += cycles; });
  }

  void endRepeat(std::vector<StepSpan>& spans) {
    repeats_.pop_back();
    if (!repeats_.empty()) return;
    for (const StepEnd& last : ends_) {
      Cycles& end = spans[indexOf(last.step)].end;
      end = std::max(end, last.end);
    }
    ends_.clear();
  }

 private:
  struct StepEnd {
    StepId step;
    Cycles end;
  };

  std::vector<StepEnd>::iterator firstOfRepeat() {
    return ends_.begin() + static_cast<std::ptrdiff_t>(repeats_.back());
  }

  std::vector<StepEnd> ends_;         // ends since the outermost Repeat began
  std::vector<std::size_t> repeats_;  // one entry per open Repeat: where its ends start in `ends_`
};

}  // namespace ipusim
