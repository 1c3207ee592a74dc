// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/reductions/reduce.h"
#include "tests/cost/oracle/oracle_names.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

using tests::OracleRow;

ReduceKind kindOfReduce(const OracleRow& row) {
  static const std::map<std::string, ReduceOp> kOps{
      {"ADD", ReduceOp::Add},        {"SQUARE_ADD", ReduceOp::SquareAdd},
      {"LOG_ADD", ReduceOp::LogAdd}, {"MAX", ReduceOp::Maximum},
      {"MIN", ReduceOp::Minimum},    {"MUL", ReduceOp::Multiply},
  };
  return {named(row, "op", kOps), floatingType(row, "partials_type"), floatingType(row, "out_type"),
          row.flag("is_update") ? ReduceInto::Update : ReduceInto::Fresh};
}

Cycles stridedOf(const OracleRow& row) {
  return stridedReduceCycles(
      gc200(), {kindOfReduce(row), row.number("num_partials"), row.number("num_outputs"),
                row.number("stride_elems"), row.number("num_outer_strides")});
}

Cycles continuousOf(const OracleRow& row) {
  return continuousReduceCycles(
      gc200(), {kindOfReduce(row), row.number("num_partials"), row.number("num_outputs")});
}

Cycles singleOf(const OracleRow& row) {
  if (row.number("num_outputs") != 1) throw row.unknown("num_outputs");
  return singleReduceCycles(gc200(), {kindOfReduce(row), row.number("num_partials"), 1});
}

Cycles regionsOf(const OracleRow& row) {
  const auto outputs = row.list("out_sizes");
  const auto counts = row.list("num_partials");
  const auto sizes = row.list("partials_sizes");
  std::vector<ReduceRegion> regions;
  auto next = sizes.begin();
  for (std::size_t r = 0; r < outputs.size(); ++r) {
    const auto end = next + static_cast<std::ptrdiff_t>(counts.at(r));
    regions.push_back({outputs[r], {next, end}});
    next = end;
  }
  return reduceCycles(gc200(), kindOfReduce(row), regions);
}

Cycles reduceOf(const OracleRow& row) {
  using ReduceEstimate = Cycles (*)(const OracleRow&);
  static const std::map<std::string, ReduceEstimate> kSpecialisations{
      {"STRIDED", stridedOf},
      {"ALL_REGIONS_CONTINUOUS", continuousOf},
      {"SCALAR_OUTPUT_SINGLE_INPUT", singleOf},
      {"SCALAR_OUTPUT_REGIONS", regionsOf},
      {"DEFAULT", regionsOf},
  };
  return named(row, "specialisation", kSpecialisations)(row);
}

TEST(ReduceOracle, OfStridedRowsEqualsThePublishedEstimate) {
  tests::expectOracleCycles("popops_reduce_strided.csv", stridedOf);
}

TEST(ReduceOracle, OfContinuousRowsEqualsThePublishedEstimate) {
  tests::expectOracleCycles("popops_reduce_continuous.csv", reduceOf);
}

TEST(ReduceOracle, OfRegionsEqualsThePublishedEstimate) {
  tests::expectOracleCycles("popops_reduce_default.csv", reduceOf);
}

TEST(ReduceOracle, OfSquaresProductsAndLogarithmsEqualsThePublishedEstimate) {
  tests::expectOracleCycles("popops_reduce_more.csv", reduceOf);
}

}  // namespace
}  // namespace ipusim::models
