// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/vertex_type.h"
#include "models/ipu/cost/elementwise/binary_op.h"
#include "models/ipu/cost/elementwise/nonlinearity.h"
#include "models/ipu/cost/elementwise/scaled_add.h"
#include "models/ipu/cost/elementwise/unary_op.h"
#include "workloads/vertices/runs.h"

// Vertex types that compute each element of the result from one element of each operand.

namespace ipusim::workloads {

/// The machine code of an elementwise vertex type.
/// Estimated: recorded profiles have 160 to 250 B per elementwise vertex type and tile
/// (graphcore/popliner tests).
constexpr Bytes kElementwiseCodeBytes(200);

struct UnaryOpVertexShape {
  models::UnaryOpKind kind;  ///< operator on halves or floats
  Runs runs;
};
/// popops::UnaryOp1D, UnaryOp2D and their in-place forms: out = op(in).
///
/// Fields, one edge per run in each: 0 "in", 1 "out"; in place only 0 "inOut".
VertexType unaryOpVertex(UnaryOpVertexShape shape);

struct BinaryOpVertexShape {
  models::BinaryOpKind kind;
  Runs runs;
};
/// popops::BinaryOp1D, BinaryOp2D and their in-place forms: out = in1 op in2. A comparison gives
/// bool.
///
/// Fields, one edge per run in each: 0 "in1", 1 "in2", 2 "out"; in place 0 "in1Out", 1 "in2".
VertexType binaryOpVertex(BinaryOpVertexShape shape);
/// The type of the result of `op` on operands of `type`.
ElementType resultType(models::BinaryOp op, ElementType type);

/// Operators on three operands.
enum class TernaryOp : std::uint8_t {
  Select,  ///< in3 ? in1 : in2, where in3 has bools
  Clamp,   ///< min(max(in1, in2), in3), where in2 and in3 are one number each
};

struct TernaryOpVertexShape {
  TernaryOp op;
  ElementType type;  ///< of a clamp half or float
  Runs runs;         ///< a list
};
/// popops::Select and BroadcastClamp, on one worker.
///
/// Fields, one edge per run but for the bounds of a clamp: 0 "in1", 1 "in2", 2 "in3", 3 "out".
VertexType ternaryOpVertex(TernaryOpVertexShape shape);

struct CastVertexShape {
  ElementType from;
  ElementType to;
  Runs runs;
};
/// popops::Cast1D and Cast2D: converts elements from one type to another. A conversion to half
/// rounds to nearest even. A conversion to an integer drops the fraction; a number beyond the
/// integer's limits becomes the limit.
///
/// Fields, one edge per run in each: 0 "src", 1 "dst".
VertexType castVertex(CastVertexShape shape);

struct NonlinearityShape {
  models::NonLinearity function;
  ElementType type;  ///< half or float
  Runs runs;
};
/// popnn::NonLinearity1DInPlace and NonLinearity2DInPlace for gelu, as approximated by a tanh, and
/// for swish. The library has the other functions among its operators on one operand.
///
/// Fields: 0 "data", one edge per run.
VertexType nonlinearityVertex(NonlinearityShape shape);
/// popnn::NonLinearityGrad1D and NonLinearityGrad2D: inGrad = outGrad f'. The slope f' is computed
/// from "out", which is the result of relu, sigmoid and tanh, and the operand of the others.
///
/// Fields, one edge per run in each: 0 "out", 1 "outGrad", 2 "inGrad".
VertexType nonlinearityGradVertex(NonlinearityShape shape);

struct InverseStdDevShape {
  std::vector<std::uint64_t> runs;  ///< elements of each
  float epsilon;
};
/// popnn::InverseStdDeviation on floats: iStdDev = 1 / sqrt(power - mean^2 + epsilon), where
/// "power" is the mean of the squares.
///
/// Fields, one edge per run in each: 0 "mean", 1 "power", 2 "iStdDev".
VertexType inverseStdDevVertex(InverseStdDevShape shape);

struct ScaleByScalarShape {
  ElementType type;  ///< half or float
  models::OpPlacement placement;
  Runs runs;
  models::BinaryOp op = models::BinaryOp::Multiply;  ///< one with a cost beside a number
};
/// popops::BroadcastScalar1D and BroadcastScalar2DData, and their in-place forms: out = data op
/// scale.
///
/// Fields: 0 "data", one edge per run; 1 "B", the scale, one element; 2 "out", one edge per run. In
/// place "data" takes the result.
VertexType scaleByScalarVertex(ScaleByScalarShape shape);

struct ScaledAddVertexShape {
  models::ScaledAddKind kind;  ///< Add or Subtract of halves or floats, with plain pointers
  float scale;
  Runs runs;
};
/// popops::ScaledAddSupervisor and ScaledAdd2D: A += scale * B, or A -= scale * B. The scale is
/// known when the program is made.
///
/// Fields, one edge per run in each: 0 "A", 1 "B".
VertexType scaledAddVertex(ScaledAddVertexShape shape);

/// The way in which a vector is repeated over the rows of a matrix.
enum class VectorAxis : std::uint8_t {
  Inner,  ///< one element of the vector per column
  Outer,  ///< one element of the vector per row
};

/// Whether there are gaps between the rows of a matrix in memory.
enum class RowGaps : std::uint8_t { None, Some };

/// A matrix, and a vector to be added, subtracted or multiplied.
struct BroadcastVectorShape {
  models::BinaryOpKind kind;  ///< add, subtract or multiply of halves or floats
  VectorAxis axis;
  std::uint64_t rows;
  std::uint64_t columns;
  RowGaps gaps;
};
/// popops::BroadcastVectorInner1D, BroadcastVectorOuterByRow1D and BroadcastVectorOuterByColumn1D,
/// in place or not: the operator on data and the repeated B. Rows with gaps in between cost as much
/// as rows without; the vendor's library has 2D vertices for them. For VectorAxis::Outer the
/// workers share the rows or the columns, whichever takes less.
///
/// Fields: 0 "data", one edge, or one per row when there are gaps; 1 "B"; 2 "out", as data, unless
/// the vertex works in place.
VertexType broadcastVectorVertex(const BroadcastVectorShape& shape);

}  // namespace ipusim::workloads
