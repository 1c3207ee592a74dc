// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/nonlinearity.h"
#include "models/ipu/cost/select.h"
#include "tests/cost/oracle_names.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

using tests::OracleRow;

Cycles gradientOf(const OracleRow& row) {
  if (row.text("vertex") == "NonLinearityGrad2D") {
    return nonLinearityGrad2dCycles(gc200(), elementType(row), row.list("sizes"));
  }
  const bool compact = row.text("layout") == "ScaledPtr64";
  return nonLinearityGradCycles(gc200(),
                                {elementType(row), oneSize(row, "sizes"),
                                 compact ? PointerLayout::Scaled64 : PointerLayout::Plain});
}

bool gradientIsCovered(const OracleRow& row) {
  const std::string& kind = row.text("non_linearity");
  const bool is_gradient = row.text("vertex").rfind("NonLinearityGrad", 0) == 0;
  return is_gradient && kind != "GELU" && kind != "SWISH";
}

TEST(NonLinearityOracle, OfAGradientEqualsThePublishedEstimate) {
  tests::expectOracleCycles("nonlinearity.csv", gradientOf, gradientIsCovered);
}

Cycles lossOf(const OracleRow& row) {
  static const std::map<std::string, Loss> kLosses{
      {"LossSumSquaredTransform", Loss::SumSquared},
      {"LossCrossEntropyTransform", Loss::CrossEntropy},
  };
  const std::string& vertex = row.text("vertex");
  if (vertex == "ReduceMaxClassGather") {
    return maxClassGatherCycles(gc200(), row.number("size"), row.number("worker_size"));
  }
  if (vertex == "ReduceMaxClassSparse") return maxClassSparseCycles(row.number("size"));
  return lossCycles({named(row, "vertex", kLosses), elementType(row), row.number("size")});
}

TEST(LossOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("loss.csv", lossOf);
}

TEST(SelectOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles(
      "misc_popops.csv",
      [](const OracleRow& row) {
        if (row.text("vertex") == "Select") return selectCycles(row.list("sizes"));
        return clampCycles(gc200(), elementType(row), row.list("sizes"));
      },
      [](const OracleRow& row) {
        return row.text("vertex") == "Select" || row.text("vertex") == "Clamp";
      });
}

}  // namespace
}  // namespace ipusim::models
