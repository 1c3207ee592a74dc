// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/scaled_add.h"
#include "tests/cost/oracle_names.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

using tests::OracleRow;

bool has(const OracleRow& row, const char* part) {
  return row.text("vertex").find(part) != std::string::npos;
}

Cycles scaledAddOf(const OracleRow& row) {
  const bool compact = row.text("b_layout") == "ScaledPtr64";
  const ScaledAddKind kind{has(row, "Subtract") ? ScaledOp::Subtract : ScaledOp::Add,
                           elementType(row, "a_type"), elementType(row, "b_type"),
                           row.flag("mem_constrained") ? OperandMemory::Apart : OperandMemory::Any,
                           compact ? PointerLayout::Scaled64 : PointerLayout::Plain};
  if (has(row, "2D")) return scaledAdd2dCycles(gc200(), {kind, row.list("sizes")});
  return scaledAddCycles(gc200(), {kind, oneSize(row, "sizes")});
}

bool isCovered(const OracleRow& row) {
  if (has(row, "aXPlusbY")) return false;
  return !has(row, "2D") || row.text("a_type") == "float" || row.text("b_type") == "half";
}

TEST(ScaledAddOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("scaled_add.csv", scaledAddOf, isCovered);
}

}  // namespace
}  // namespace ipusim::models
