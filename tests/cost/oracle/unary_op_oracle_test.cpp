// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/elementwise/unary_op.h"
#include "tests/cost/oracle/oracle_names.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

using tests::OracleRow;

UnaryOp opOfUnaryOp(const OracleRow& row) {
  static const std::map<std::string, UnaryOp> kOps{
      {"ABSOLUTE", UnaryOp::Absolute},
      {"ASIN", UnaryOp::Asin},
      {"BITWISE_NOT", UnaryOp::BitwiseNot},
      {"CBRT", UnaryOp::CubeRoot},
      {"CEIL", UnaryOp::Ceil},
      {"COS", UnaryOp::Cos},
      {"COUNT_LEADING_ZEROS", UnaryOp::CountLeadingZeros},
      {"ERF", UnaryOp::Erf},
      {"EXPONENT", UnaryOp::Exponent},
      {"EXPONENT2", UnaryOp::Exponent2},
      {"EXPONENT_MINUS_ONE", UnaryOp::ExponentMinusOne},
      {"FLOOR", UnaryOp::Floor},
      {"GELU_ERF", UnaryOp::GeluErf},
      {"INVERSE", UnaryOp::Inverse},
      {"IS_FINITE", UnaryOp::IsFinite},
      {"IS_INF", UnaryOp::IsInf},
      {"IS_NAN", UnaryOp::IsNaN},
      {"LOGARITHM", UnaryOp::Logarithm},
      {"LOGARITHM_ONE_PLUS", UnaryOp::LogarithmOnePlus},
      {"LOGICAL_NOT", UnaryOp::LogicalNot},
      {"NEARBY_INT", UnaryOp::NearbyInt},
      {"NEGATE", UnaryOp::Negate},
      {"POPCOUNT", UnaryOp::PopCount},
      {"RELU", UnaryOp::Relu},
      {"ROUND", UnaryOp::Round},
      {"RSQRT", UnaryOp::Rsqrt},
      {"SIGMOID", UnaryOp::Sigmoid},
      {"SIGNUM", UnaryOp::Signum},
      {"SIN", UnaryOp::Sin},
      {"SQRT", UnaryOp::Sqrt},
      {"SQUARE", UnaryOp::Square},
      {"TAN", UnaryOp::Tan},
      {"TANH", UnaryOp::Tanh},
      {"TRUNC", UnaryOp::Truncate},
  };
  return named(row, "op", kOps);
}

Cycles unaryOpOf(const OracleRow& row) {
  static const Placements k1d{{"UnaryOp1D", OpPlacement::OutOfPlace},
                              {"UnaryOp1DInPlace", OpPlacement::InPlace}};
  static const Placements k2d{{"UnaryOp2D", OpPlacement::OutOfPlace},
                              {"UnaryOp2DInPlace", OpPlacement::InPlace}};
  const bool is_1d = isOneOf(row, k1d);
  const UnaryOpKind kind{opOfUnaryOp(row), dataType(row), named(row, "vertex", is_1d ? k1d : k2d)};
  if (is_1d) return unaryOpCycles(gc200(), {kind, oneSize(row, "sizes")});
  return unaryOp2dCycles(gc200(), {kind, row.list("sizes")});
}

TEST(UnaryOpOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("unary_op.csv", unaryOpOf);
}

TEST(UnaryOpOracle, OfAllTypesEqualsThePublishedEstimate) {
  tests::expectOracleCycles("unary_op_more.csv", unaryOpOf);
}

}  // namespace
}  // namespace ipusim::models
