// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/fill.h"
#include "tests/cost/oracle_names.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

Cycles fillOf(const tests::OracleRow& row) {
  const std::string& vertex = row.text("vertex");
  if (vertex == "Fill") return fillCycles(gc200(), {elementSize(row), oneSize(row, "sizes")});
  if (vertex == "Fill2d") return fill2dCycles(gc200(), {elementSize(row), row.list("sizes")});
  throw row.unknown("vertex");
}

TEST(FillOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("fill.csv", fillOf);
}

}  // namespace
}  // namespace ipusim::models
