// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/vertex_type.h"
#include "models/ipu/cost/slice.h"
#include "models/ipu/cost/transpose.h"

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
/// Copies runs of elements from one place of a tile to another. Fields: 0 "from", 1 "to"; one edge
/// per run in both.
VertexType copyVertex(CopyVertexShape shape);

struct ZeroVertexShape {
  ElementType type;
  std::uint64_t regions;
  std::uint64_t elements;  ///< of each region
};
/// popops::Fill and popops::Fill2d with zero. Field 0 "out": one edge of consecutive elements, or
/// several for the 2D form.
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
/// Fields: 0 "src" and 1 "dst". Transpose2D has one edge per matrix in both; the 1D kinds have one
/// edge, all matrices one after the other.
VertexType transposeVertex(const TransposeVertexShape& shape);

/// A tensor of `slices` equal slices of which a vertex moves one.
struct SlicedShape {
  ElementType type;
  std::uint64_t elements;  ///< of a slice on this tile
  std::uint64_t slices;
  models::SliceDirection direction;
};
/// popops::DynamicSlice1D and DynamicUpdateSlice1D: the slice that "offset" counts, modulo their
/// number, out of the tensor or into it.
///
/// Fields:
///   0 "offset"  1 edge of one unsigned int
///   1 "base"    1 edge of slices * elements; written by an update
///   2 "sub"     1 edge of elements; written by a slice
VertexType dynamicSliceVertex(const SlicedShape& shape);

/// Rows of a table that a vertex looks up by their numbers.
struct LookUpShape {
  ElementType type;        ///< half or float
  std::uint64_t rows;      ///< of the table
  std::uint64_t elements;  ///< of a row, on this tile
  std::uint64_t offsets;   ///< rows looked up
};
/// popops::MultiSlice: row i of the result is row offsets[i] of the table. A number that the table
/// has no row for is passed over.
///
/// Fields, one edge in each: 0 "offsets", unsigned int; 1 "baseT", the table; 2 "subT", the result.
VertexType multiSliceVertex(const LookUpShape& shape);

/// popops::ScaledMultiUpdateOp that adds: to row offsets[i] of the table, row i times the scale, in
/// the order of i. A number that the table has no row for is passed over.
///
/// Fields, one edge in each: 0 "offsets", unsigned int; 1 "baseT", the table; 2 "subT", what is
/// added; 3 "scale", one element.
VertexType multiUpdateAddVertex(const LookUpShape& shape);

/// Tile cycles of a vertex of multiUpdateAddVertex.
Cycles multiUpdateAddCycles(const Architecture& machine, const LookUpShape& shape);

/// Rows of `classes` elements, one of which is 1.
struct OneHotShape {
  ElementType type;  ///< half or float
  std::uint64_t rows;
  std::uint64_t classes;
};
/// popops::EncodeOneHot: puts a 1 where row r has its element indices[r], in rows that are clear.
/// An index that is no class is passed over.
///
/// Fields, one edge in each: 0 "indices", unsigned int; 1 "out". The published estimate for floats
/// is a place-holder: floats cost what a MultiUpdate of as many rows of one element does.
VertexType oneHotVertex(const OneHotShape& shape);

}  // namespace ipusim::workloads
