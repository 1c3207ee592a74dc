// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/broadcast.h"
#include "tests/cost/oracle_names.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

using tests::OracleRow;

bool has(const OracleRow& row, const char* part) {
  return row.text("vertex").find(part) != std::string::npos;
}

BinaryOpKind kindOf(const OracleRow& row) {
  static const std::map<std::string, BinaryOp> kOps{
      {"ADD", BinaryOp::Add},           {"SUBTRACT", BinaryOp::Subtract},
      {"MULTIPLY", BinaryOp::Multiply}, {"DIVIDE", BinaryOp::Divide},
      {"MAXIMUM", BinaryOp::Maximum},   {"MINIMUM", BinaryOp::Minimum},
  };
  return {named(row, "op", kOps), elementType(row),
          has(row, "InPlace") ? OpPlacement::InPlace : OpPlacement::OutOfPlace};
}

Cycles scalarOf(const OracleRow& row) {
  if (has(row, "1D")) return broadcastScalarCycles(gc200(), {kindOf(row), oneSize(row, "sizes")});
  const auto scalars = has(row, "2DData") ? BroadcastScalars::One : BroadcastScalars::PerRun;
  return broadcastScalar2dCycles(gc200(), {kindOf(row), scalars, row.list("sizes")});
}

Cycles outerOf(const OracleRow& row) {
  return broadcastOuterCycles(
      gc200(), {elementType(row), has(row, "ByRow") ? OuterSplit::ByRow : OuterSplit::ByColumn,
                row.flag("allow_misaligned") ? RowAlignment::Misaligned : RowAlignment::Aligned,
                row.number("rows"), row.number("columns")});
}

Cycles innerOf(const OracleRow& row) {
  return broadcastInnerCycles(gc200(), {kindOf(row), row.number("b_slice_len"),
                                        row.number("b_slices"), row.number("b_broadcast_factor")});
}

/// 1D and no division; a half product by a vector that the fast code cannot reach has no formula.
bool innerIsCovered(const OracleRow& row) {
  if (!has(row, "1D") || row.text("op") == "DIVIDE") return false;
  const bool half_product = row.text("op") == "MULTIPLY" && row.text("type") == "half";
  return !half_product || row.number("b_slice_len") <= 2048;
}

TEST(BroadcastOracle, OfAScalarEqualsThePublishedEstimate) {
  tests::expectOracleCycles("broadcast_scalar.csv", scalarOf);
}

TEST(BroadcastOracle, OfAnOuterVectorEqualsThePublishedEstimate) {
  tests::expectOracleCycles("broadcast_vector_outer.csv", outerOf);
}

TEST(BroadcastOracle, OfAnInnerVectorEqualsThePublishedEstimate) {
  tests::expectOracleCycles("broadcast_vector_inner.csv", innerOf, innerIsCovered);
}

}  // namespace
}  // namespace ipusim::models
