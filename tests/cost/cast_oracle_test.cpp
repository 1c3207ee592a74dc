// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/cast.h"
#include "tests/cost/oracle_names.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

CastTypes typesOf(const tests::OracleRow& row) {
  const std::string& from = row.text("from_type");
  const std::string& to = row.text("to_type");
  if (from == "unsigned char" && to == "half") return kByteToHalf;
  if (from == "half" && to == "unsigned char") return kHalfToByte;
  return castTypes(elementType(row, "from_type"), elementType(row, "to_type"));
}

Cycles castOf(const tests::OracleRow& row) {
  const std::string& vertex = row.text("vertex");
  const CastTypes types = typesOf(row);
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

}  // namespace
}  // namespace ipusim::models
