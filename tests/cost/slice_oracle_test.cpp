// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/slice.h"
#include "tests/cost/oracle_names.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

Cycles sliceOf(const tests::OracleRow& row) {
  static const std::map<std::string, SliceDirection> k2dVertices{
      {"DynamicSlice2D", SliceDirection::Slice},
      {"DynamicUpdateSlice2D", SliceDirection::Update},
  };
  const std::string& vertex = row.text("vertex");
  const std::uint64_t slices = row.number("num_sub_elements");
  if (vertex == "DynamicSlice1D" || vertex == "DynamicUpdateSlice1D") {
    return dynamicSliceCycles(gc200(), {elementSize(row), oneSize(row, "region_sizes"), slices});
  }
  return dynamicSlice2dCycles(gc200(), {named(row, "vertex", k2dVertices), elementSize(row),
                                        row.list("region_sizes"), slices});
}

TEST(SliceOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("dynamic_slice.csv", sliceOf);
}

}  // namespace
}  // namespace ipusim::models
