// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/vertex_type.h"
#include "models/ipu/cost/binary_op.h"
#include "models/ipu/cost/scaled_add.h"
#include "models/ipu/cost/unary_op.h"
#include "workloads/vertices/runs.h"

// Vertex types that compute each element of their result from one element of each operand.

namespace ipusim::workloads {

/// Machine code of such a vertex type. Estimated: recorded profiles have 160 to 250 B per type and
/// tile (graphcore/popliner tests).
constexpr Bytes kElementwiseCodeBytes(200);

struct UnaryOpVertexShape {
  models::UnaryOpKind kind;  ///< of halves or floats
  Runs runs;
};
/// popops::UnaryOp1D, UnaryOp2D and their in-place forms: out = op(in).
///
/// Fields, one edge per run in each: 0 "in", 1 "out"; in place 0 "inOut".
VertexType unaryOpVertex(UnaryOpVertexShape shape);

struct BinaryOpVertexShape {
  models::BinaryOpKind kind;
  Runs runs;
};
/// popops::BinaryOp1D, BinaryOp2D and their in-place forms: out = in1 op in2.
///
/// Fields, one edge per run in each: 0 "in1", 1 "in2", 2 "out"; in place 0 "in1Out", 1 "in2". A
/// comparison gives bool.
VertexType binaryOpVertex(BinaryOpVertexShape shape);
/// The type of what `op` gives for operands of `type`.
ElementType resultType(models::BinaryOp op, ElementType type);

struct CastVertexShape {
  ElementType from;
  ElementType to;
  Runs runs;
};
/// popops::Cast1D and Cast2D: elements of one type to another. A half is rounded to nearest even;
/// an integer is what stands before the point, its type's limit where the number lies beyond.
///
/// Fields, one edge per run in each: 0 "src", 1 "dst".
VertexType castVertex(CastVertexShape shape);

struct ReluGradShape {
  ElementType type;  ///< half or float
  Runs runs;
};
/// popnn::NonLinearityGrad1D and NonLinearityGrad2D of relu: inGrad = outGrad where out is
/// positive, else 0.
///
/// Fields, one edge per run in each: 0 "out", 1 "outGrad", 2 "inGrad".
VertexType reluGradVertex(ReluGradShape shape);

struct ScaleByScalarShape {
  ElementType type;  ///< half or float
  models::OpPlacement placement;
  Runs runs;
};
/// popops::BroadcastScalar1D and BroadcastScalar2DData that multiply, and their in-place forms:
/// out = scale * data.
///
/// Fields: 0 "data", one edge per run; 1 "B", the scale, one element; 2 "out" as "data" (in place
/// "data" takes the result).
VertexType scaleByScalarVertex(ScaleByScalarShape shape);

struct ScaledAddVertexShape {
  models::ScaledAddKind kind;  ///< Add or Subtract of halves or floats with plain pointers
  float scale;
  Runs runs;
};
/// popops::ScaledAddSupervisor and ScaledAdd2D with a scale known when the program is made:
/// A += scale * B (a subtraction takes it away).
///
/// Fields, one edge per run in each: 0 "A", 1 "B".
VertexType scaledAddVertex(ScaledAddVertexShape shape);

/// Which way a vector is repeated over the rows of a matrix.
enum class VectorAxis : std::uint8_t {
  Inner,  ///< an element of the vector for each column
  Outer,  ///< an element of the vector for each row
};

/// Whether the rows of a matrix follow one another in memory.
enum class RowGaps : std::uint8_t { None, Some };

/// A matrix that a vector is added to, subtracted from or multiplied with.
struct BroadcastVectorShape {
  models::BinaryOpKind kind;  ///< add, subtract or multiply of halves or floats
  VectorAxis axis;
  std::uint64_t rows;
  std::uint64_t columns;
  RowGaps gaps;
};
/// popops::BroadcastVectorInner1D and BroadcastVectorOuterByRow1D or ByColumn1D, in place or not:
/// the operator on data and B, repeated. Rows with gaps between them cost as much as without; the
/// vendor's library has 2D vertices for them. Outer: rows or columns shared between the workers,
/// whichever takes less.
///
/// Fields: 0 "data", one edge, or one per row where there are gaps; 1 "B"; 2 "out", as data, where
/// it is not in place.
VertexType broadcastVectorVertex(const BroadcastVectorShape& shape);

}  // namespace ipusim::workloads
