// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/movement/fill.h"
#include "models/ipu/cost/movement/slice.h"
#include "tests/cost/oracle/oracle_names.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

using tests::OracleRow;

Cycles fillOf(const OracleRow& row) {
  const std::string& vertex = row.text("vertex");
  const DataType type = dataType(row);
  const bool quarter = type == DataType::Name::Quarter;
  const FillCode code = quarter ? FillCode::Quarter : FillCode::OfSize;
  if (vertex == "Fill") return fillCycles(gc200(), {sizeOf(type), oneSize(row, "sizes"), code});
  if (vertex == "Fill2d") return fill2dCycles(gc200(), {sizeOf(type), row.list("sizes"), code});
  throw row.unknown("vertex");
}

Cycles sliceOf(const OracleRow& row) {
  static const std::map<std::string, SliceDirection> k2dVertices{
      {"DynamicSlice2D", SliceDirection::Slice},
      {"DynamicUpdateSlice2D", SliceDirection::Update},
  };
  const std::string& vertex = row.text("vertex");
  const char* const sizes = row.has("region_sizes") ? "region_sizes" : "sizes";
  const std::uint64_t slices = row.number("num_sub_elements");
  if (vertex == "DynamicSlice1D" || vertex == "DynamicUpdateSlice1D") {
    return dynamicSliceCycles(gc200(), {elementSize(row), oneSize(row, sizes), slices});
  }
  return dynamicSlice2dCycles(
      gc200(), {named(row, "vertex", k2dVertices), elementSize(row), row.list(sizes), slices});
}

Cycles sliceOrFillOf(const OracleRow& row) {
  return row.text("vertex").rfind("Fill", 0) == 0 ? fillOf(row) : sliceOf(row);
}

TEST(FillOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("fill.csv", fillOf);
}

TEST(SliceOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("dynamic_slice.csv", sliceOf);
}

TEST(SliceOracle, AndFillOfAllTypesEqualThePublishedEstimate) {
  tests::expectOracleCycles("slice_fill_more.csv", sliceOrFillOf);
}

}  // namespace
}  // namespace ipusim::models
