// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/vertex_type.h"
#include "models/ipu/cost/movement/slice.h"
#include "models/ipu/cost/movement/transpose.h"

// Vertex types that move, fill or look up data on a tile.

namespace ipusim::workloads {

/// `count` runs of `elements` consecutive elements.
struct CopyRuns {
  std::uint64_t count;
  std::uint64_t elements;

  friend bool operator<(const CopyRuns& a, const CopyRuns& b) {
    return a.count != b.count ? a.count < b.count : a.elements < b.elements;
  }
};
struct CopyVertexShape {
  ElementType type;
  std::vector<CopyRuns> runs;
};
/// Copies runs of elements from one place of a tile to another.
/// Fields, one edge per run in each: 0 "from", 1 "to".
VertexType copyVertex(CopyVertexShape shape);

struct ZeroVertexShape {
  ElementType type;
  std::uint64_t regions;
  std::uint64_t elements;  ///< elements of each region
  double value = 0;        ///< of all elements; of an integer type, a whole number
};
/// popops::Fill and popops::Fill2d. Field 0 "out" has one edge of consecutive elements,
/// or several edges in the 2D form.
VertexType zeroVertex(const ZeroVertexShape& shape);

struct TransposeVertexShape {
  ElementType type;
  models::TransposeVertex form;
  std::uint64_t rows;
  std::uint64_t columns;
  std::uint64_t matrices;
};
/// popops::Transpose2D, Transpose1D, Transpose1DSingleWorker or SplitTranspose1D: matrices of rows
/// x columns to columns x rows.
///
/// Fields: 0 "src" and 1 "dst". Transpose2D has one edge per matrix in both. The 1D forms have one
/// edge with all matrices one after the other.
VertexType transposeVertex(const TransposeVertexShape& shape);

/// A tensor of `slices` equal slices, some of which a vertex moves.
struct SlicedShape {
  ElementType type;
  std::uint64_t elements;  ///< elements of a slice on this tile
  std::uint64_t slices;
  models::SliceDirection direction;
  std::uint64_t moved = 1;  ///< consecutive slices, the first of which follows the last
};
/// popops::DynamicSlice1D and DynamicUpdateSlice1D: copies slices out of the tensor or into it.
/// The first one is that with the number "offset", modulo the number of slices.
///
/// Fields:
///   0 "offset"  1 edge of one unsigned int
///   1 "base"    1 edge of slices * elements; written by an update
///   2 "sub"     1 edge of moved * elements; written by a slice
VertexType dynamicSliceVertex(const SlicedShape& shape);

/// Rows of a table that a vertex looks up by their numbers.
struct LookUpShape {
  ElementType type;             ///< half or float where rows are added
  std::uint64_t rows;           ///< rows of the table
  std::uint64_t elements;       ///< elements of a row on this tile
  std::uint64_t offsets;        ///< number of rows that are looked up
  std::uint64_t first_row = 0;  ///< of the whole table: its row that is row 0 here
  /// Rows of the whole table. The offsets are expected to name each of them equally often. The
  /// workers share the offsets, or in an update the rows. 0: all offsets name rows of this table,
  /// and one worker takes them all.
  std::uint64_t whole_rows = 0;
};
/// popops::MultiSlice: row i of the result is row offsets[i] of the table. An offset of another
/// row is skipped.
///
/// Fields, one edge in each: 0 "offsets", unsigned int; 1 "baseT", the table; 2 "subT", the result.
VertexType multiSliceVertex(const LookUpShape& shape);

/// popops::MultiUpdate: in the order of i, row i takes the place of row offsets[i] of the table. An
/// offset beyond the table is skipped. Fields as those of MultiSlice, of which "baseT" is written.
VertexType multiUpdateVertex(const LookUpShape& shape);

/// popops::ScaledMultiUpdateOp that adds: in the order of i, row i times the scale is added to row
/// offsets[i] of the table. An offset beyond the table is skipped.
///
/// Fields, one edge in each: 0 "offsets", unsigned int; 1 "baseT", the table; 2 "subT", the rows to
/// add; 3 "scale", one element.
VertexType multiUpdateAddVertex(const LookUpShape& shape);

/// Tile cycles of a vertex that multiUpdateAddVertex makes.
Cycles multiUpdateAddCycles(const Architecture& machine, const LookUpShape& shape);

/// Rows of `classes` elements, one of which is 1.
struct OneHotShape {
  ElementType type;  ///< half or float
  std::uint64_t rows;
  std::uint64_t classes;
};
/// popops::EncodeOneHot: sets element indices[r] of row r to 1. The rows must be zero before. An
/// index that is no class is skipped.
///
/// Fields, one edge in each: 0 "indices", unsigned int; 1 "out". The published estimate for floats
/// is a place-holder. Floats here cost as much as a MultiUpdate of as many rows of one element.
VertexType oneHotVertex(const OneHotShape& shape);

}  // namespace ipusim::workloads
