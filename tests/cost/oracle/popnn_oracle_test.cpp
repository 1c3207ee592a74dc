// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/elementwise/nonlinearity.h"
#include "models/ipu/cost/uncalled/arg_reduce.h"
#include "models/ipu/cost/uncalled/loss.h"
#include "tests/cost/oracle/oracle_names.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

using tests::OracleRow;

NonLinearityKind kindOf(const OracleRow& row) {
  static const std::map<std::string, NonLinearity> kFunctions{
      {"RELU", NonLinearity::Relu},        {"SIGMOID", NonLinearity::Sigmoid},
      {"TANH", NonLinearity::Tanh},        {"GELU", NonLinearity::Gelu},
      {"GELU_ERF", NonLinearity::GeluErf}, {"SWISH", NonLinearity::Swish},
  };
  static const std::map<std::string, PointerLayout> kLayouts{
      {"OnePtr", PointerLayout::Plain}, {"ScaledPtr64", PointerLayout::Scaled64}};
  NonLinearityKind kind{named(row, "non_linearity", kFunctions), floatingType(row)};
  kind.pointers = named(row, "layout", kLayouts);
  return kind;
}

Cycles nonLinearityOf(const OracleRow& row) {
  static const Placements k1d{{"NonLinearity1D", OpPlacement::OutOfPlace},
                              {"NonLinearity1DInPlace", OpPlacement::InPlace}};
  static const Placements k2d{{"NonLinearity2D", OpPlacement::OutOfPlace},
                              {"NonLinearity2DInPlace", OpPlacement::InPlace}};
  NonLinearityKind kind = kindOf(row);
  const std::string& vertex = row.text("vertex");
  if (vertex == "NonLinearityGrad1D") {
    return nonLinearityGradCycles(gc200(), {kind, oneSize(row, "sizes")});
  }
  if (vertex == "NonLinearityGrad2D") {
    return nonLinearityGrad2dCycles(gc200(), {kind, row.list("sizes")});
  }
  const bool is_1d = isOneOf(row, k1d);
  kind.placement = named(row, "vertex", is_1d ? k1d : k2d);
  if (is_1d) return nonLinearityCycles(gc200(), {kind, oneSize(row, "sizes")});
  return nonLinearity2dCycles(gc200(), {kind, row.list("sizes")});
}

TEST(NonLinearityOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("nonlinearity.csv", nonLinearityOf);
}

TEST(NonLinearityOracle, OfGeluAndSwishEqualsThePublishedEstimate) {
  tests::expectOracleCycles("nonlinearity_more.csv", nonLinearityOf);
}

Cycles lossOf(const OracleRow& row) {
  static const std::map<std::string, Loss> kLosses{
      {"LossSumSquaredTransform", Loss::SumSquared},
      {"LossCrossEntropyTransform", Loss::CrossEntropy},
  };
  const std::string& vertex = row.text("vertex");
  const ElementType type = floatingType(row);
  if (vertex == "ReduceMaxClassGather") {
    return classGatherCycles(gc200(), type, row.number("size"), row.number("worker_size"));
  }
  if (vertex == "ReduceMaxClassSparse") return classSparseCycles(type, row.number("size"));
  return lossCycles({named(row, "vertex", kLosses), type, row.number("size")});
}

TEST(LossOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("loss.csv", lossOf);
}

}  // namespace
}  // namespace ipusim::models
