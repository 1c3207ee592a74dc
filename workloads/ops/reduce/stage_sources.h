// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "ipusim/graph.h"
#include "workloads/ops/reduce/placed_partials.h"
#include "workloads/ops/reduce/planner/stage_work.h"

// What the vertices of a planned stage read.

namespace ipusim::workloads {

/// What tiles hold of a matrix whose rows or columns are consecutive elements of a variable.
class LocalPartials {
 public:
  /// The matrix is (rows, columns): the planner's columns are its columns.
  static LocalPartials ofRows(const Graph& graph, const Tensor& matrix);
  /// The matrix is (columns, rows): the planner's columns are its rows.
  static LocalPartials ofColumns(const Graph& graph, const Tensor& matrix);

  /// What the planner reads.
  [[nodiscard]] std::vector<HeldRows> rows() const;
  /// A part of a pattern of a tile, in the order in which its vertex reads it.
  [[nodiscard]] View partials(const StageShare& share, const PatternPart& part) const;
  /// The single rows that tiles hold, as partials.
  [[nodiscard]] PlacedPartials placed() const;

 private:
  /// Equal rows of some columns, and their places in the variable.
  struct Block {
    HeldRows rows;
    std::uint64_t column_stride;
    std::vector<std::uint64_t> row_begins;  ///< empty for rows that follow `begin`
    std::uint64_t begin;

    /// The place of a row of a column, counted from the block's first ones.
    [[nodiscard]] std::uint64_t place(std::uint64_t column, std::uint64_t row) const {
      return column * column_stride + (row_begins.empty() ? begin + row : row_begins[row]);
    }
  };
  explicit LocalPartials(VariableId variable) : variable_(variable) {}
  void appendRow(View& view, const Block& block, std::uint64_t row,
                 const std::pair<std::uint64_t, std::uint64_t>& columns) const;

  VariableId variable_;
  std::vector<Block> blocks_;
};

/// The partials that a stage receives. The arguments outlive this object.
class ReceivedPartials {
 public:
  ReceivedPartials(const PartialColumns& sources, const PlacedPartials& placed)
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
