// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/vertex_type.h"
#include "models/ipu/cost/conv_reduce.h"
#include "models/ipu/cost/reduce.h"

// Vertex types that add up or compare partial results.

namespace ipusim::workloads {

/// poplin::ReduceAdd: adds up partial results of a product. `models::reduceAddFor` gives the form
/// (one array of partials or one pointer per partial) that the vendor's library picks.
///
/// Fields: 0 "out", one edge of n; 1 "own", one edge of n, the partial that is on the tile already;
/// 2 "partials", one edge of n for each of the other partials. out = own + sum of partials.
VertexType reduceAddVertex(const models::ReduceAddShape& shape);

/// The stride of rows that have no common one.
constexpr std::uint64_t kNoStride = 0;

/// Rows of partials that are reduced to one row of outputs.
struct RowReduction {
  models::ReduceKind kind;  ///< Add or Maximum, not an update
  std::uint64_t partials;   ///< rows
  std::uint64_t outputs;    ///< columns
  std::uint64_t stride;     ///< elements from row to row, at least `outputs`, or kNoStride
};
/// popops::StridedReduce, on one worker; rows without a common stride are a popops::Reduce on a
/// list of regions.
///
/// Fields: 0 "out", one edge; 1 "partials", one edge where the rows follow one another, else one
/// edge per row.
VertexType reduceRowsVertex(const RowReduction& shape);

/// popops::ContinuousReduce, on one worker: each row of partials to one output, the rows one after
/// the other. A single output is popops::SingleReduce, the vendor's own form for it.
///
/// Fields, one edge in each: 0 "out", 1 "partials". The kind is Add or Maximum, not an update.
VertexType reduceContinuousVertex(const models::ContinuousReduceShape& shape);

/// Rows of outputs, each the sum of two rows of partials.
struct ReducePairsShape {
  ElementType type;  ///< half or float
  std::uint64_t rows;
  std::uint64_t columns;
  /// Elements from the first partials of a row to the second, at least columns.
  std::uint64_t stride;
};
/// popops::Reduce that adds two partials to each output, on one worker. The form is the one the
/// vendor's library has for the shape: StridedReduce for one row, ContinuousReduce for one column,
/// else a list of regions, one per row, whose two rows of partials follow one another.
///
/// Fields, one edge per row: 0 "out", 1 "first", 2 "second", the two partials of each row.
VertexType reducePairsVertex(const ReducePairsShape& shape);

}  // namespace ipusim::workloads
