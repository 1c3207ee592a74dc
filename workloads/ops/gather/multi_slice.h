// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "workloads/ops/placement/op_result.h"

// Look-ups of rows of a table by their numbers, placed as the vendor's library does: a tile has a
// range of columns of all rows; where columns are fewer than the tiles, the look-ups are shared out
// too. Source: graphcore/poplibs lib/popops/DynamicSlice.cpp, multiSlice and multiUpdateAdd (MIT).

namespace ipusim::workloads {

/// Numbers of rows that are known when the program is made.
struct RowNumbers {
  std::uint64_t count;
  std::function<std::uint64_t(std::uint64_t)> at;  ///< of the index of a look-up
};

/// Adds row numbers, spread linearly over the tiles.
Tensor addRowIndices(Graph& graph, const Architecture& machine, const RowNumbers& rows,
                     const std::string& name);
Tensor addRowIndices(Graph& graph, const Architecture& machine,
                     const std::vector<std::uint64_t>& rows, const std::string& name);

/// A table of `count` rows as a tensor of any shape and layout, read row-major: seen as a matrix it
/// may be of many more pieces.
struct RowsOfTable {
  Tensor elements;
  std::uint64_t count;
};

/// Adds the copy that brings a table, as (rows, columns), to where gatherRows reads it: for tables
/// that are read more than once.
Tensor arrangeTable(Graph& graph, const Architecture& machine, const RowsOfTable& rows,
                    const std::string& name, Program& program);

/// Rows of a table that are wanted.
struct RowLookUp {
  Tensor table;    ///< (rows, columns), of any layout
  Tensor indices;  ///< of one dimension, unsigned int
};

/// Adds one compute set that gathers the rows that the indices number. Returns (indices, columns),
/// on the tiles that looked them up.
Tensor gatherRows(Graph& graph, const Architecture& machine, const RowLookUp& look_up,
                  const std::string& name, Program& program);

/// Rows that are added into a table of `rows` rows.
struct RowScatter {
  Tensor source;   ///< (indices, columns), of any layout
  Tensor indices;  ///< of one dimension, unsigned int: which row each is added to
  std::uint64_t rows;
};

/// Adds a compute set that clears a table, (rows, columns), and one that adds the rows of the
/// source to those of the table that the indices number. Where look-ups are shared out, each share
/// has a table of its own, and the sum of them follows as in sumRows. Returns the table.
Tensor scatterAddRows(Graph& graph, const Architecture& machine, const RowScatter& scatter,
                      const OpResult& sums, Program& program);

}  // namespace ipusim::workloads
