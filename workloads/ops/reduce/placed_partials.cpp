// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/placed_partials.h"

#include <algorithm>
#include <iterator>

#include "ipusim/error.h"

namespace ipusim::workloads {

void PlacedPartials::add(TileId tile, const Run& run) {
  check(runs_[tile].emplace(run.begin, run).second, "two partials of a column on a tile");
}

void PlacedPartials::appendTo(View& view, TileId tile, std::uint64_t begin,
                              std::uint64_t end) const {
  const auto& runs = runs_.at(tile);
  for (auto next = runs.upper_bound(begin); begin < end; ++next) {
    check(next != runs.begin(), "a partial that no tile has");
    const Run& run = std::prev(next)->second;
    check(run.begin <= begin && begin < run.end, "a partial that no tile has");
    const std::uint64_t until = std::min(end, run.end);
    appendRegular(view, contiguous(run.variable, run.offset + begin - run.begin, until - begin));
    begin = until;
  }
}

}  // namespace ipusim::workloads
