// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/reduce.h"
#include "tests/cost/oracle_names.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

using tests::OracleRow;

ReduceKind kindOf(const OracleRow& row) {
  static const std::map<std::string, ReduceOp> kOps{
      {"ADD", ReduceOp::Add},     {"SQUARE_ADD", ReduceOp::SquareAdd}, {"MAX", ReduceOp::Maximum},
      {"MIN", ReduceOp::Minimum}, {"MUL", ReduceOp::Multiply},
  };
  return {named(row, "op", kOps), elementType(row, "partials_type"), elementType(row, "out_type"),
          row.flag("is_update") ? ReduceInto::Update : ReduceInto::Fresh};
}

bool isNotLogAdd(const OracleRow& row) {
  return row.text("op") != "LOG_ADD";
}

TEST(ReduceOracle, OfStridedRowsEqualsThePublishedEstimate) {
  tests::expectOracleCycles(
      "popops_reduce_strided.csv",
      [](const OracleRow& row) {
        return stridedReduceCycles(
            gc200(), {kindOf(row), row.number("num_partials"), row.number("num_outputs"),
                      row.number("stride_elems"), row.number("num_outer_strides")});
      },
      isNotLogAdd);
}

TEST(ReduceOracle, OfContinuousRowsEqualsThePublishedEstimate) {
  tests::expectOracleCycles(
      "popops_reduce_continuous.csv",
      [](const OracleRow& row) {
        const ContinuousReduceShape shape{kindOf(row), row.number("num_partials"),
                                          row.number("num_outputs")};
        return row.text("specialisation") == "ALL_REGIONS_CONTINUOUS"
                   ? continuousReduceCycles(gc200(), shape)
                   : singleReduceCycles(gc200(), shape);
      },
      isNotLogAdd);
}

std::vector<ReduceRegion> regionsOf(const OracleRow& row) {
  const auto outputs = row.list("out_sizes");
  const auto counts = row.list("num_partials");
  const auto sizes = row.list("partials_sizes");
  std::vector<ReduceRegion> regions;
  auto next = sizes.begin();
  for (std::size_t r = 0; r < outputs.size(); ++r) {
    const auto end = next + static_cast<std::ptrdiff_t>(counts[r]);
    regions.push_back({outputs[r], {next, end}});
    next = end;
  }
  return regions;
}

TEST(ReduceOracle, OfRegionsEqualsThePublishedEstimate) {
  tests::expectOracleCycles(
      "popops_reduce_default.csv",
      [](const OracleRow& row) { return reduceCycles(gc200(), kindOf(row), regionsOf(row)); },
      isNotLogAdd);
}

}  // namespace
}  // namespace ipusim::models
