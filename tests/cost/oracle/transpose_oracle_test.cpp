// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/movement/transpose.h"
#include "tests/cost/oracle/oracle_names.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

Cycles transposeOf(const tests::OracleRow& row) {
  static const std::map<std::string, TransposeVertex> kVertices{
      {"Transpose2D", TransposeVertex::Transpose2D},
      {"Transpose1D", TransposeVertex::Transpose1D},
      {"Transpose1DSingleWorker", TransposeVertex::Transpose1DSingleWorker},
      {"SplitTranspose1D", TransposeVertex::SplitTranspose1D},
  };
  static const std::map<std::string, PointerLayout> kLayouts{
      {"-", PointerLayout::Plain},
      {"OnePtr", PointerLayout::Plain},
      {"ScaledPtr64", PointerLayout::Scaled64},
  };
  TransposeShape shape{};
  shape.vertex = named(row, "vertex", kVertices);
  shape.element = elementSize(row);
  shape.rows = row.number("num_src_rows");
  shape.columns = row.number("num_src_columns");
  shape.matrices = row.number("num_matrices");
  shape.layout = named(row, "layout", kLayouts);
  return transposeCycles(gc200(), shape);
}

TEST(TransposeOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("transpose.csv", transposeOf);
}

}  // namespace
}  // namespace ipusim::models
