// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "poplar/detail/graph_api.hpp"
#include "poplar/detail/program_api.hpp"

namespace poplar {
namespace detail {

/// What is done with rows of a table.
enum class RowMove : std::uint8_t {
  Slice,   ///< `rows` become those from the number offsets[0] on, which wrap round at the end
  Update,  ///< those of the table from offsets[0] on become `rows`
  Set,     ///< row offsets[i] of the table becomes row i of `rows`, in the order of i
  Add,     ///< row i of `rows` times `scale` is added to row offsets[i] of the table
};

struct RowMoveOperands {
  const TensorData* table;    ///< (rows, columns), of any layout
  const TensorData* rows;     ///< (rows that are moved, columns), of any layout
  const TensorData* offsets;  ///< one dimension, unsigned int
  const TensorData* scale;    ///< for Add: one element of the type of the table; else null
};

/// Adds to a compute set vertices that move rows, where the elements of the table's first row lie.
void addRowMove(GraphData* graph, std::uint32_t compute_set, RowMove move,
                const RowMoveOperands& operands);

/// The rows of `table`, (rows, columns), with the numbers `offsets`, of one dimension and unsigned
/// int: (offsets, columns), on the tiles that look them up. Gives away new references to them and
/// to the steps.
TensorData* addLookUp(GraphData* graph, const TensorData* table, const TensorData* offsets,
                      Text name, ProgramData** program);

/// A new table, (rows, columns), that lies where addLookUp() reads it: a tile has some columns of
/// all rows. Gives away a new reference.
TensorData* addSliceableTable(GraphData* graph, TypeId type, std::size_t rows, std::size_t columns,
                              Text name);

}  // namespace detail
}  // namespace poplar
