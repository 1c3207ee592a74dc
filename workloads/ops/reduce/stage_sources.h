// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "ipusim/graph.h"
#include "workloads/ops/reduce/placed_partials.h"
#include "workloads/ops/reduce/planner/stage_work.h"
#include "workloads/ops/reduce/tile_columns.h"

// What the vertices of a planned stage read.

namespace ipusim::workloads {

/// The rows that tiles hold of a matrix. The columns outlive this object.
class HeldPlaces {
 public:
  explicit HeldPlaces(const std::vector<TileColumns>& held);

  /// What the planner reads.
  [[nodiscard]] std::vector<HeldRows> rows() const;
  /// A part of a pattern of a tile. Tiles hold the columns of a matrix apart, so that each pattern
  /// has one source.
  [[nodiscard]] View partials(const StageShare& share, const PatternPart& part) const;
  /// The single rows that tiles hold, as partials.
  [[nodiscard]] PlacedPartials placed() const;

 private:
  const std::vector<TileColumns>& held_;
  std::vector<std::vector<std::uint64_t>> begins_;  ///< the first element of each row
};

/// The partials that a stage receives. The arguments outlive this object.
class SentPartials {
 public:
  SentPartials(const PartialColumns& sources, const PlacedPartials& placed)
      : sources_(sources), placed_(placed) {}

  /// A part of a pattern whose row 0 is partial `first` of its columns.
  [[nodiscard]] View partials(const StageShare& share, const PatternPart& part,
                              std::uint64_t first);

 private:
  void appendRow(View& view, std::uint64_t begin, std::uint64_t end, std::uint64_t row);

  const PartialColumns& sources_;
  const PlacedPartials& placed_;
  std::map<std::size_t, std::vector<TileId>> tiles_;  ///< by the number of the set
};

}  // namespace ipusim::workloads
