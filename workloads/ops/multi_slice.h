// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/graph/graph.h"

// Look-ups of rows of a table by their numbers, placed as the vendor's library does: a tile has a
// range of columns of all rows; where columns are fewer than the tiles, the look-ups are shared out
// too. Source: graphcore/poplibs lib/popops/DynamicSlice.cpp, multiSlice and multiUpdateAdd (MIT).

namespace ipusim::workloads {

/// Numbers of rows that are known when the program is made, spread linearly over the tiles.
Tensor addRowIndices(Graph& graph, const models::Machine& machine,
                     const std::vector<std::uint64_t>& rows, const std::string& name);

/// Adds the copy that brings `table`, (rows, columns) of any layout, to where gatherRows reads it:
/// for tables that are read more than once.
Tensor arrangeTable(Graph& graph, const models::Machine& machine, const Tensor& table,
                    const std::string& name, Program& program);

/// Adds one compute set that gathers the rows of `table`, (rows, columns) of any layout, that
/// `indices` number. Returns (indices, columns), on the tiles that looked them up.
Tensor gatherRows(Graph& graph, const models::Machine& machine, const Tensor& table,
                  const Tensor& indices, const std::string& name, Program& program);

/// What rows are added into.
struct ScatterTarget {
  std::uint64_t rows;
  Lifetime lifetime;
};

/// Adds a compute set that clears a table of `target.rows` rows and one that adds row i of
/// `source`, (indices, columns) of any layout, to its row indices[i]. Where look-ups are shared
/// out, each share has a table of its own, and the sum of them follows as in sumRows. Returns
/// (rows, columns).
Tensor scatterAddRows(Graph& graph, const models::Machine& machine, const Tensor& source,
                      const Tensor& indices, const ScatterTarget& target, const std::string& name,
                      Program& program);

}  // namespace ipusim::workloads
