// SPDX-License-Identifier: Apache-2.0
#include "sim/run/detail/first_iterations.h"

#include <algorithm>

namespace ipusim::run {

FirstIterations::FirstIterations(std::size_t steps, const TileBands& bands, Observer* next)
    : bands_(bands),
      tiles_(bands.tiles),
      next_(next),
      heard_(steps * bands.tiles),
      spans_(steps * bands.count()) {}

void FirstIterations::busy(TileId tile, OpKind kind, const Interval& when) {
  if (next_ != nullptr) next_->busy(tile, kind, when);
  const std::size_t step = indexOf(when.step);
  const std::size_t cell = step * tiles_ + tile.tile();
  if (heard_[cell]) return;
  heard_[cell] = true;
  Span& span = spans_[step * bands_.count() + bands_.of(tile.tile())];
  span.begin = std::min(span.begin, when.begin);
  span.end = std::max(span.end, when.end);
}

void FirstIterations::transmission(std::uint32_t transmission, const Interval& when) {
  if (next_ != nullptr) next_->transmission(transmission, when);
}

void FirstIterations::sync(const Interval& when) {
  if (next_ != nullptr) next_->sync(when);
}

void FirstIterations::hostTransfer(std::uint32_t transfer, const Interval& when) {
  if (next_ != nullptr) next_->hostTransfer(transfer, when);
}

BandSpans FirstIterations::of(std::size_t step) const {
  BandSpans runs;
  const std::uint32_t count = bands_.count();
  for (std::uint32_t band = 0; band < count; ++band) {
    Span span = spans_[step * count + band];
    if (span.end <= span.begin) span = {Cycles(0), Cycles(0)};
    const bool same =
        !runs.empty() && runs.back().begin == span.begin && runs.back().end == span.end;
    if (same) {
      ++runs.back().count;
    } else {
      runs.push_back({1, span.begin, span.end});
    }
  }
  return runs;
}

}  // namespace ipusim::run
