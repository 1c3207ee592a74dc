// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/butterfly/butterfly.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <numeric>

#include "sim/run/check/check_experiment.h"
#include "sim/run/simulate.h"
#include "tests/execute/toy_run.h"
#include "tests/support/toy_machine.h"
#include "workloads/ops/butterfly/fused_butterfly.h"

namespace ipusim::workloads {
namespace {

using executor::ToyRun;
using executor::Values;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::uint64_t kFeatures = 8;
constexpr ButterflyShape kTied{kFeatures, Twiddles::Tied, StageOrder::Increasing};

/// Twiddles that are all different: 1, 2, 3, …
Values countingTwiddles() {
  Values values(4 * (kFeatures - 1));
  std::iota(values.begin(), values.end(), 1);
  return values;
}

/// The matrix of the stage of `stride` with counting twiddles: element (o, i) of matrix j of the
/// stage is 4 (stride - 1 + j) + 2 o + i + 1.
Matrix factor(Eigen::Index stride) {
  Matrix matrix = Matrix::Zero(kFeatures, kFeatures);
  for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
    const Eigen::Index j = row % stride;
    const Eigen::Index half = row / stride % 2;
    const Eigen::Index low = row - half * stride;
    const auto first = static_cast<double>(4 * (stride - 1 + j) + 2 * half + 1);
    matrix(row, low) = first;
    matrix(row, low + stride) = first + 1;
  }
  return matrix;
}

/// The rows that a butterfly makes of the identity, which are the columns of its matrix.
Values rowsOfIdentity(const ButterflyShape& shape) {
  ToyRun run;
  const Tensor rows = run.spread({kFeatures, kFeatures}, 5);
  const Tensor twiddles = run.spread(twiddleShape(shape), 3);
  Values identity(kFeatures * kFeatures);
  for (std::size_t i = 0; i < kFeatures; ++i) identity[i * (kFeatures + 1)] = 1;
  run.give(rows, identity);
  run.give(twiddles, countingTwiddles());
  const ButterflyPass pass = addButterfly(run.graph, models::toyMachine(), {shape, rows, twiddles},
                                          {"butterfly", Lifetime::Always}, run.graph.program());
  return run.result(pass.result);
}

Values valuesOf(const Matrix& matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};
}

TEST(Butterfly, IsTheProductOfItsFactors) {
  EXPECT_EQ(rowsOfIdentity(kTied), valuesOf((factor(4) * factor(2) * factor(1)).transpose()));
  ButterflyShape decreasing = kTied;
  decreasing.order = StageOrder::Decreasing;
  EXPECT_EQ(rowsOfIdentity(decreasing), valuesOf((factor(1) * factor(2) * factor(4)).transpose()));
}

TEST(Butterfly, KeepsUntiedTwiddlesStageAfterStage) {
  const ButterflyShape untied{kFeatures, Twiddles::Untied, StageOrder::Decreasing};
  EXPECT_EQ(twiddleShape(untied), (Shape{3, 4, 2, 2}));
  EXPECT_EQ(firstTwiddle(untied, 4), 32U);
  EXPECT_EQ(firstTwiddle(kTied, 4), 12U);
}

run::Experiment butterfly(const std::string& machine, std::uint64_t features, std::uint64_t batch,
                          const std::string& keys = "") {
  return run::prepare(ConfigReader::fromText(
      fmt::format(
          "machine = \"{}\"\n[workload]\nkind = \"butterfly\"\nfeatures = {}\nbatch = {}\n{}",
          machine, features, batch, keys),
      "test"));
}

TEST(ButterflyNumbers, AreThoseOfItsStages) {
  for (const char* keys :
       {"", "lowering = \"fused\"", "lowering = \"fused\"\ntwiddles = \"untied\"",
        "lowering = \"fused\"\norder = \"decreasing\"\ntype = \"half\"", "twiddles = \"untied\"",
        "order = \"decreasing\"", "twiddles = \"untied\"\norder = \"decreasing\"\nbias = \"no\"",
        "type = \"half\""}) {
    for (const std::uint64_t features : {2U, 16U, 128U}) {
      EXPECT_TRUE(run::checkNumbers(butterfly("toy", features, 7, keys)).found.ok)
          << features << " " << keys;
    }
  }
  EXPECT_TRUE(run::checkNumbers(butterfly("gc200", 256, 50)).found.ok);
  EXPECT_TRUE(run::checkNumbers(butterfly("gc200", 64, 1, "twiddles = \"untied\"")).found.ok);
}

TEST(ButterflyLayer, HasTwoComputeSetsAStageAndOneForTheBias) {
  for (const std::uint64_t stages : {3U, 6U, 10U}) {
    const run::Experiment experiment = butterfly("gc200", 1U << stages, 50);
    EXPECT_EQ(experiment.workload.graph.computeSets().size(), 2 * stages + 1);
  }
}

TEST(FusedButterfly, IsFasterAndSmallerThanTheFrameworks) {
  for (const std::uint64_t features : {256U, 512U}) {
    const auto run_of = [&](const char* keys) {
      return run::simulate(butterfly("gc200", features, features, keys), Engine::ClosedForm);
    };
    const run::RunResult framework = run_of("dense = \"no\"");
    const run::RunResult fused = run_of("dense = \"no\"\nlowering = \"fused\"");
    EXPECT_LT(fused.time.cycles, framework.time.cycles);
    EXPECT_LT(fused.memory.total, framework.memory.total);
  }
}

TEST(FusedButterfly, SendsEachElementOnceForEachStageBetweenTiles) {
  // More tiles than rows: features are cut, and in stages between parts each part has one partner.
  const ButterflyShape shape{1024, Twiddles::Tied, StageOrder::Increasing};
  const ButterflyGrid grid = planButterfly(models::gc200(), shape, 50, ElementType::Float);
  EXPECT_GT(grid.feature_parts, 1U);
  const run::RunResult result = run::simulate(
      butterfly("gc200", 1024, 50, "dense = \"no\"\nlowering = \"fused\""), Engine::ClosedForm);
  for (const StepResult& step : result.steps) {
    if (step.name.find("/stage") == std::string::npos || step.exchange.bytes == Bytes(0)) continue;
    EXPECT_EQ(step.exchange.bytes, Bytes(1024 * 50 * 4)) << step.name;
  }
}

TEST(ButterflyLayer, CountsItsParameters) {
  // 4 (N - 1) and N biases; 2 N log2 N.
  EXPECT_EQ(butterfly("gc200", 1024, 5).workload.model->count(), 4U * 1023 + 1024);
  EXPECT_EQ(
      butterfly("gc200", 1024, 5, "twiddles = \"untied\"\nbias = \"no\"").workload.model->count(),
      20'480U);
  EXPECT_EQ(butterfly("gc200", 1024, 5).workload.model->dense_parameters, 1024U * 1024 + 1024);
}

TEST(ButterflyLayer, TakesPowersOfTwoOnly) {
  EXPECT_THROW(butterfly("toy", 12, 1), ConfigError);
}

}  // namespace
}  // namespace ipusim::workloads
