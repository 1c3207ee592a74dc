// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "workloads/ops/placement/op_result.h"

// Look-ups of rows of a table by their numbers, placed as the vendor's library does. A tile has a
// range of columns of all rows. When there are fewer columns than tiles, the look-ups are shared
// out too.
// Source: graphcore/poplibs lib/popops/DynamicSlice.cpp, multiSlice and multiUpdateAdd (MIT).

namespace ipusim::workloads {

/// Numbers of rows that are known when the program is made.
struct RowNumbers {
  std::uint64_t count;
  std::function<std::uint64_t(std::uint64_t)> at;  ///< the row number, given the index of a look-up
};

/// The numbers of a list.
RowNumbers rowNumbers(std::vector<std::uint64_t> list);

/// Adds a constant of row numbers, spread linearly over the tiles.
Tensor addRowIndices(Graph& graph, const Architecture& machine, const RowNumbers& rows,
                     const std::string& name);
Tensor addRowIndices(Graph& graph, const Architecture& machine,
                     const std::vector<std::uint64_t>& rows, const std::string& name);

/// A table of `count` rows, as a tensor of any shape and layout that is read row-major. As a matrix
/// it may have many more pieces.
struct RowsOfTable {
  Tensor elements;
  std::uint64_t count;
};

struct TableShape {
  ElementType type;
  std::uint64_t rows;
  std::uint64_t columns;
};
/// Adds a table, (rows, columns), that lies where gatherRows reads it.
Tensor addTable(Graph& graph, const Architecture& machine, const TableShape& shape,
                const OpResult& table);

/// Adds the copy that brings a table, as (rows, columns), to where gatherRows reads it. A table
/// that is read more than once should be arranged first.
Tensor arrangeTable(Graph& graph, const Architecture& machine, const RowsOfTable& rows,
                    const std::string& name, Program& program);

/// The rows of a table to look up.
struct RowLookUp {
  Tensor table;    ///< (rows, columns), of any layout
  Tensor indices;  ///< one dimension, unsigned int
};

/// Adds one compute set that gathers the rows with these numbers. Returns (indices, columns), on
/// the tiles that looked them up.
Tensor gatherRows(Graph& graph, const Architecture& machine, const RowLookUp& look_up,
                  const std::string& name, Program& program);

/// Rows to be added into a table of `rows` rows.
struct RowScatter {
  Tensor source;   ///< (indices, columns), of any layout
  Tensor indices;  ///< the row that each one is added to: one dimension, unsigned int
  std::uint64_t rows;
};

/// Adds a compute set that clears a table, (rows, columns), and one that adds the rows of the
/// source to the rows of the table with these numbers. When look-ups are shared out, each share has
/// its own table, and sumRows then sums the tables. Returns the table.
Tensor scatterAddRows(Graph& graph, const Architecture& machine, const RowScatter& scatter,
                      const OpResult& sums, Program& program);

}  // namespace ipusim::workloads
