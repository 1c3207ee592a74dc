// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/elementwise/cast.h"
#include "tests/cost/oracle/oracle_names.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

Cycles castOf(const tests::OracleRow& row) {
  const std::string& vertex = row.text("vertex");
  const CastTypes types = castTypes(dataType(row, "from_type"), dataType(row, "to_type"));
  if (vertex == "Cast1D") return castCycles(gc200(), {types, oneSize(row, "sizes")});
  if (vertex == "Cast2D") return cast2dCycles(gc200(), {types, row.list("sizes")});
  if (vertex == "Cast1DSingleWorker") {
    return castWorkerCycles(gc200(), {types, oneSize(row, "sizes")});
  }
  throw row.unknown("vertex");
}

TEST(CastOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("cast.csv", castOf);
}

TEST(CastOracle, OfAllTypesEqualsThePublishedEstimate) {
  tests::expectOracleCycles("cast_more.csv", castOf);
}

}  // namespace
}  // namespace ipusim::models
