// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/elementwise/broadcast.h"
#include "models/ipu/cost/elementwise/broadcast_inner.h"
#include "tests/cost/oracle/oracle_names.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

using tests::OracleRow;

BinaryOp opOfBroadcast(const OracleRow& row) {
  static const std::map<std::string, BinaryOp> kOps{{"ADD", BinaryOp::Add},
                                                    {"SUBTRACT", BinaryOp::Subtract},
                                                    {"MULTIPLY", BinaryOp::Multiply},
                                                    {"DIVIDE", BinaryOp::Divide}};
  return named(row, "op", kOps);
}

Cycles outerVectorOf(const OracleRow& row) {
  static const std::map<std::string, OuterSplit> kVertices{
      {"BroadcastVectorOuterByRow1D", OuterSplit::ByRow},
      {"BroadcastVectorOuterByRow1DInPlace", OuterSplit::ByRow},
      {"BroadcastVectorOuterByColumn1D", OuterSplit::ByColumn},
      {"BroadcastVectorOuterByColumn1DInPlace", OuterSplit::ByColumn},
  };
  if (opOfBroadcast(row) == BinaryOp::Divide) throw row.unknown("op");
  return broadcastOuterCycles(
      gc200(), {floatingType(row), named(row, "vertex", kVertices),
                row.flag("allow_misaligned") ? RowAlignment::Misaligned : RowAlignment::Aligned,
                row.number("rows"), row.number("columns")});
}

/// "16x13;3x2": 13 blocks of 16 elements, two of 3.
std::vector<InnerBlocks> vectorsOf(const OracleRow& row) {
  std::vector<InnerBlocks> vectors;
  for (const auto& [length, blocks] : row.pairs("worklist_blen_x_blocks", 'x')) {
    vectors.push_back({length, blocks});
  }
  return vectors;
}

Cycles innerVectorOf(const OracleRow& row) {
  static const Placements k1d{{"BroadcastVectorInner1D", OpPlacement::OutOfPlace},
                              {"BroadcastVectorInner1DInPlace", OpPlacement::InPlace}};
  static const Placements k2d{{"BroadcastVectorInner2D", OpPlacement::OutOfPlace},
                              {"BroadcastVectorInner2DInPlace", OpPlacement::InPlace}};
  const bool is_1d = isOneOf(row, k1d);
  const BinaryOpKind kind{opOfBroadcast(row), floatingType(row),
                          named(row, "vertex", is_1d ? k1d : k2d)};
  if (!is_1d) return broadcastInner2dCycles({kind, vectorsOf(row)});
  return broadcastInnerCycles(gc200(), {kind, row.number("b_slice_len"), row.number("b_slices"),
                                        row.number("b_broadcast_factor")});
}

TEST(BroadcastOracle, OfAnOuterVectorEqualsThePublishedEstimate) {
  tests::expectOracleCycles("broadcast_vector_outer.csv", outerVectorOf);
}

TEST(BroadcastOracle, OfAnInnerVectorEqualsThePublishedEstimate) {
  tests::expectOracleCycles("broadcast_vector_inner.csv", innerVectorOf);
}

TEST(BroadcastOracle, OfAnInnerVectorOnAllPathsEqualsThePublishedEstimate) {
  tests::expectOracleCycles("broadcast_vector_inner_more.csv", innerVectorOf);
}

}  // namespace
}  // namespace ipusim::models
