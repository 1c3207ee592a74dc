// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/vertex_type.h"
#include "models/ipu/cost/products/conv_reduce.h"
#include "models/ipu/cost/reductions/reduce.h"

// Vertex types that sum or compare partial results.

namespace ipusim::workloads {

/// poplin::ReduceAdd: sums the partial results of a product, out = own + sum of partials.
/// `models::reduceAddFor` gives the form that the vendor's library picks: one array of partials, or
/// one pointer per partial.
///
/// Fields: 0 "out", one edge of n; 1 "own", one edge of n, the partial that is on the tile already;
/// 2 "partials", one edge of n per other partial.
VertexType reduceAddVertex(const models::ReduceAddShape& shape);

/// The stride of rows without a common stride.
constexpr std::uint64_t kNoStride = 0;

/// Rows of partials that are reduced to one row of outputs.
struct RowReduction {
  models::ReduceKind kind;  ///< Add, SquareAdd, Maximum or Minimum, not an update
  std::uint64_t partials;   ///< number of rows
  std::uint64_t outputs;    ///< number of columns
  std::uint64_t stride;     ///< elements from one row to the next, at least `outputs`; or kNoStride
};
/// popops::StridedReduce, on one worker. Rows without a common stride are a popops::Reduce on a
/// list of regions.
///
/// Fields: 0 "out", one edge; 1 "partials", one edge when the rows follow each other, and otherwise
/// one edge per row.
VertexType reduceRowsVertex(const RowReduction& shape);

/// popops::ContinuousReduce, on one worker: reduces each row of partials to one output. The rows
/// follow each other. A single output is popops::SingleReduce, which the vendor has for this case.
/// The kind is Add, SquareAdd, Maximum or Minimum, not an update.
///
/// Fields, one edge in each: 0 "out", 1 "partials".
VertexType reduceContinuousVertex(const models::ContinuousReduceShape& shape);

/// Rows of outputs. Each row is the sum of two rows of partials.
struct ReducePairsShape {
  ElementType type;  ///< half or float
  std::uint64_t rows;
  std::uint64_t columns;
  /// Elements from the first partials of a row to the second, at least `columns`.
  std::uint64_t stride;
};
/// popops::Reduce that adds two partials per output, on one worker. The form is the one that the
/// vendor's library has for the shape: StridedReduce for one row, ContinuousReduce for one column,
/// and otherwise a list of regions. Each row is then a region whose two rows of partials follow
/// each other.
///
/// Fields, one edge per row in each: 0 "out"; 1 "first" and 2 "second", the two partials of each
/// row.
VertexType reducePairsVertex(const ReducePairsShape& shape);

}  // namespace ipusim::workloads
