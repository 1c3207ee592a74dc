// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/elementwise/binary_op.h"
#include "models/ipu/cost/elementwise/broadcast.h"
#include "tests/cost/oracle/oracle_names.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

using tests::OracleRow;

BinaryOp opOf(const OracleRow& row) {
  static const std::map<std::string, BinaryOp> kOps{
      {"ADD", BinaryOp::Add},
      {"SUBTRACT", BinaryOp::Subtract},
      {"MULTIPLY", BinaryOp::Multiply},
      {"DIVIDE", BinaryOp::Divide},
      {"REMAINDER", BinaryOp::Remainder},
      {"MAXIMUM", BinaryOp::Maximum},
      {"MINIMUM", BinaryOp::Minimum},
      {"POWER", BinaryOp::Power},
      {"ATAN2", BinaryOp::Atan2},
      {"EQUAL", BinaryOp::Equal},
      {"NOT_EQUAL", BinaryOp::NotEqual},
      {"LESS_THAN", BinaryOp::LessThan},
      {"LESS_THAN_EQUAL", BinaryOp::LessOrEqual},
      {"GREATER_THAN", BinaryOp::GreaterThan},
      {"GREATER_THAN_EQUAL", BinaryOp::GreaterOrEqual},
      {"LOGICAL_AND", BinaryOp::LogicalAnd},
      {"LOGICAL_OR", BinaryOp::LogicalOr},
      {"BITWISE_AND", BinaryOp::BitwiseAnd},
      {"BITWISE_OR", BinaryOp::BitwiseOr},
      {"BITWISE_XOR", BinaryOp::BitwiseXor},
      {"BITWISE_XNOR", BinaryOp::BitwiseXnor},
      {"SHIFT_LEFT", BinaryOp::ShiftLeft},
      {"SHIFT_RIGHT", BinaryOp::ShiftRight},
      {"SHIFT_RIGHT_SIGN_EXTEND", BinaryOp::ShiftRightSignExtend},
  };
  return named(row, "op", kOps);
}

BinaryOpKind kindOf(const OracleRow& row, const Placements& vertices) {
  return {opOf(row), dataType(row), named(row, "vertex", vertices)};
}

Cycles binaryOpOf(const OracleRow& row) {
  static const Placements k1d{{"BinaryOp1D", OpPlacement::OutOfPlace},
                              {"BinaryOp1DInPlace", OpPlacement::InPlace}};
  static const Placements k2d{{"BinaryOp2D", OpPlacement::OutOfPlace},
                              {"BinaryOp2DInPlace", OpPlacement::InPlace}};
  if (isOneOf(row, k1d)) return binaryOpCycles(gc200(), {kindOf(row, k1d), oneSize(row, "sizes")});
  return binaryOp2dCycles(gc200(), {kindOf(row, k2d), row.list("sizes")});
}

TEST(BinaryOpOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("binary_op.csv", binaryOpOf);
}

TEST(BinaryOpOracle, OfAllTypesEqualsThePublishedEstimate) {
  tests::expectOracleCycles("binary_op_more.csv", binaryOpOf);
}

Cycles scalarOf(const OracleRow& row) {
  static const Placements k1d{{"BroadcastScalar1D", OpPlacement::OutOfPlace},
                              {"BroadcastScalar1DInPlace", OpPlacement::InPlace}};
  static const Placements k2d{{"BroadcastScalar2D", OpPlacement::OutOfPlace},
                              {"BroadcastScalar2DInPlace", OpPlacement::InPlace}};
  static const Placements k2dData{{"BroadcastScalar2DData", OpPlacement::OutOfPlace},
                                  {"BroadcastScalar2DDataInPlace", OpPlacement::InPlace}};
  if (isOneOf(row, k1d)) {
    return broadcastScalarCycles(gc200(), {kindOf(row, k1d), oneSize(row, "sizes")});
  }
  if (isOneOf(row, k2d)) {
    return broadcastScalar2dCycles(gc200(),
                                   {kindOf(row, k2d), BroadcastScalars::PerRun, row.list("sizes")});
  }
  return broadcastScalar2dCycles(gc200(),
                                 {kindOf(row, k2dData), BroadcastScalars::One, row.list("sizes")});
}

TEST(BroadcastOracle, OfAScalarEqualsThePublishedEstimate) {
  tests::expectOracleCycles("broadcast_scalar.csv", scalarOf);
}

TEST(BroadcastOracle, OfAScalarOfAllTypesEqualsThePublishedEstimate) {
  tests::expectOracleCycles("broadcast_scalar_more.csv", scalarOf);
}

}  // namespace
}  // namespace ipusim::models
