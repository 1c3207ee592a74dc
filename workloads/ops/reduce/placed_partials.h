// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "ipusim/graph.h"

namespace ipusim::workloads {

/// Where the partials lie that a stage of a reduction reads: a tile has one partial of a column, or
/// none.
class PlacedPartials {
 public:
  /// Partials of columns [begin, end) are on `tile`, from element `offset` of `variable` on.
  struct Run {
    std::uint64_t begin;
    std::uint64_t end;
    VariableId variable;
    std::uint64_t offset;
  };
  /// The runs of a tile may come in any order.
  void add(TileId tile, const Run& run);

  /// Adds the partials that the tile has of columns [begin, end) to the end of `view`.
  void appendTo(View& view, TileId tile, std::uint64_t begin, std::uint64_t end) const;

 private:
  std::map<TileId, std::map<std::uint64_t, Run>> runs_;  ///< by first column
};

}  // namespace ipusim::workloads
