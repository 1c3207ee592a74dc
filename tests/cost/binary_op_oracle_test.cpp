// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/binary_op.h"
#include "tests/cost/oracle_names.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

BinaryOp opOf(const tests::OracleRow& row) {
  static const std::map<std::string, BinaryOp> kOps{
      {"ADD", BinaryOp::Add},
      {"SUBTRACT", BinaryOp::Subtract},
      {"MULTIPLY", BinaryOp::Multiply},
      {"DIVIDE", BinaryOp::Divide},
      {"MAXIMUM", BinaryOp::Maximum},
      {"MINIMUM", BinaryOp::Minimum},
      {"POWER", BinaryOp::Power},
      {"EQUAL", BinaryOp::Equal},
      {"GREATER_THAN", BinaryOp::GreaterThan},
  };
  return named(row, "op", kOps);
}

Cycles binaryOpOf(const tests::OracleRow& row) {
  static const std::map<std::string, OpPlacement> k1dVertices{
      {"BinaryOp1D", OpPlacement::OutOfPlace},
      {"BinaryOp1DInPlace", OpPlacement::InPlace},
  };
  static const std::map<std::string, OpPlacement> k2dVertices{
      {"BinaryOp2D", OpPlacement::OutOfPlace},
      {"BinaryOp2DInPlace", OpPlacement::InPlace},
  };
  BinaryOpKind kind{opOf(row), elementType(row)};
  if (k1dVertices.count(row.text("vertex")) > 0) {
    kind.placement = named(row, "vertex", k1dVertices);
    return binaryOpCycles(gc200(), {kind, oneSize(row, "sizes")});
  }
  kind.placement = named(row, "vertex", k2dVertices);
  return binaryOp2dCycles(gc200(), {kind, row.list("sizes")});
}

TEST(BinaryOpOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("binary_op.csv", binaryOpOf);
}

}  // namespace
}  // namespace ipusim::models
