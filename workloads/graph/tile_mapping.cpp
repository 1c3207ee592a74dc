// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <queue>

#include "ipusim/graph.h"

namespace ipusim {

namespace {

/// Puts [begin, end) behind the intervals that lie before it.
void append(std::uint64_t begin, std::uint64_t end, TileId tile,
            std::vector<MappedInterval>& intervals) {
  if (!intervals.empty() && intervals.back().end == begin && intervals.back().tile == tile) {
    intervals.back().end = end;
  } else {
    intervals.push_back({begin, end, tile, 0});
  }
}

/// The intervals sorted, without overlaps: an element belongs to the last of `calls` that has it.
std::vector<MappedInterval> inOrder(const std::vector<MappedInterval>& calls) {
  std::vector<std::size_t> by_begin(calls.size());
  std::iota(by_begin.begin(), by_begin.end(), std::size_t{0});
  std::sort(by_begin.begin(), by_begin.end(),
            [&](std::size_t a, std::size_t b) { return calls[a].begin < calls[b].begin; });
  std::vector<MappedInterval> intervals;
  std::priority_queue<std::size_t> open;  // calls that have begun, the latest on top
  std::uint64_t at = 0;
  for (auto next = by_begin.begin(); next != by_begin.end() || !open.empty();) {
    if (open.empty()) at = calls[*next].begin;
    for (; next != by_begin.end() && calls[*next].begin == at; ++next) open.push(*next);
    const MappedInterval& owner = calls[open.top()];
    const std::uint64_t end =
        next == by_begin.end() ? owner.end : std::min(owner.end, calls[*next].begin);
    append(at, end, owner.tile, intervals);
    at = end;
    while (!open.empty() && calls[open.top()].end <= at) open.pop();
  }
  return intervals;
}

void countLocal(std::vector<MappedInterval>& intervals) {
  std::vector<std::vector<std::uint64_t>> used;  // by IPU and tile
  for (MappedInterval& interval : intervals) {
    if (interval.tile.ipu() >= used.size()) used.resize(interval.tile.ipu() + 1);
    std::vector<std::uint64_t>& of_tile = used[interval.tile.ipu()];
    if (interval.tile.tile() >= of_tile.size()) of_tile.resize(interval.tile.tile() + 1);
    std::uint64_t& local = of_tile[interval.tile.tile()];
    interval.local = local;
    local += interval.end - interval.begin;
  }
}

}  // namespace

void TileMapping::set(std::uint64_t begin, std::uint64_t end, TileId tile) {
  if (begin == end) return;
  const bool follows = intervals_.empty() || intervals_.back().end <= begin;
  if (state_ != State::AsSet && follows) {
    append(begin, end, tile, intervals_);
    state_ = State::InOrder;
    return;
  }
  intervals_.push_back({begin, end, tile, 0});
  state_ = State::AsSet;
}

const std::vector<MappedInterval>& TileMapping::intervals() const {
  if (state_ == State::Complete) return intervals_;
  if (state_ == State::AsSet) intervals_ = inOrder(intervals_);
  countLocal(intervals_);
  state_ = State::Complete;
  return intervals_;
}

}  // namespace ipusim
