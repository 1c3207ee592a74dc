// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/unary_op.h"
#include "tests/cost/oracle_names.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

UnaryOp opOf(const tests::OracleRow& row) {
  static const std::map<std::string, UnaryOp> kOps{
      {"ABSOLUTE", UnaryOp::Absolute},   {"CEIL", UnaryOp::Ceil},
      {"EXPONENT", UnaryOp::Exponent},   {"EXPONENT_MINUS_ONE", UnaryOp::ExponentMinusOne},
      {"GELU_ERF", UnaryOp::GeluErf},    {"INVERSE", UnaryOp::Inverse},
      {"LOGARITHM", UnaryOp::Logarithm}, {"LOGARITHM_ONE_PLUS", UnaryOp::LogarithmOnePlus},
      {"NEGATE", UnaryOp::Negate},       {"RELU", UnaryOp::Relu},
      {"RSQRT", UnaryOp::Rsqrt},         {"SIGMOID", UnaryOp::Sigmoid},
      {"SIGNUM", UnaryOp::Signum},       {"SQRT", UnaryOp::Sqrt},
      {"SQUARE", UnaryOp::Square},       {"TANH", UnaryOp::Tanh},
  };
  return named(row, "op", kOps);
}

Cycles unaryOpOf(const tests::OracleRow& row) {
  static const std::map<std::string, OpPlacement> k1dVertices{
      {"UnaryOp1D", OpPlacement::OutOfPlace},
      {"UnaryOp1DInPlace", OpPlacement::InPlace},
  };
  static const std::map<std::string, OpPlacement> k2dVertices{
      {"UnaryOp2D", OpPlacement::OutOfPlace},
      {"UnaryOp2DInPlace", OpPlacement::InPlace},
  };
  UnaryOpKind kind{opOf(row), elementType(row)};
  if (k1dVertices.count(row.text("vertex")) > 0) {
    kind.placement = named(row, "vertex", k1dVertices);
    return unaryOpCycles(gc200(), {kind, oneSize(row, "sizes")});
  }
  kind.placement = named(row, "vertex", k2dVertices);
  return unaryOp2dCycles(gc200(), {kind, row.list("sizes")});
}

TEST(UnaryOpOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("unary_op.csv", unaryOpOf);
}

}  // namespace
}  // namespace ipusim::models
