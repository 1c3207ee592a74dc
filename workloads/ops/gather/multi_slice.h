// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "workloads/ops/placement/op_result.h"

// Look-ups of rows of a table by their numbers without a plan; planned_look_ups.h has those with
// one. A tile has a range of columns of all rows. When there are fewer columns than tiles, the
// look-ups are shared out too. Source: graphcore/poplibs lib/popops/DynamicSlice.cpp, multiSlice
// (MIT).

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

struct TableShape {
  ElementType type;
  std::uint64_t rows;
  std::uint64_t columns;
};
/// Adds a table, (rows, columns), that lies where gatherRows reads it.
Tensor addTable(Graph& graph, const Architecture& machine, const TableShape& shape,
                const OpResult& table);

/// The rows of a table to look up.
struct RowLookUp {
  Tensor table;    ///< (rows, columns), of any layout
  Tensor indices;  ///< one dimension, unsigned int
};

/// Adds one compute set that gathers the rows with these numbers. Returns (indices, columns), on
/// the tiles that looked them up.
Tensor gatherRows(Graph& graph, const Architecture& machine, const RowLookUp& look_up,
                  const std::string& name, Program& program);

}  // namespace ipusim::workloads
