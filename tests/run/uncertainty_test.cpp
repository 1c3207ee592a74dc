// SPDX-License-Identifier: Apache-2.0
#include "sim/run/uncertainty.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text/json.h"
#include "models/gpu/torch_layers.h"
#include "sim/registry/registry.h"
#include "sim/report/text/quantity.h"
#include "tests/run/two_tile_run.h"

namespace ipusim::run {
namespace {

CompareOptions hostedA30(gpu::Host host) {
  return {gpu::readPreset("a30"), host};
}

double relativeOf(const Uncertainty& band) {
  return std::log(band.high_seconds / band.low_seconds) / 2;
}

std::string kindOfRun(const std::string& workload) {
  return registry::predictionKind(ConfigReader::fromText(workload, "test"));
}

TEST(KindOfRun, IsOfWorkloadVariantAndType) {
  EXPECT_EQ(kindOfRun("kind = 'matmul'"), "matmul float");
  EXPECT_EQ(kindOfRun("kind = 'matmul'\nvariant = 'poplin'\ntype = 'half'"), "matmul half");
  EXPECT_EQ(kindOfRun("kind = 'matmul'\nvariant = 'naive'"), "matmul naive float");
  EXPECT_EQ(kindOfRun("kind = 'codelet'\ncodelet = 'amp'\ntype = 'half'"), "codelet amp half");
}

TEST(KindOfRun, SaysThatAFrameworkCopies) {
  Experiment experiment = twoTileExperiment();
  experiment.workload.prediction_kind = "matmul float";
  EXPECT_EQ(kindOfRun(experiment), "matmul float");
  experiment.copies_by_framework = true;
  EXPECT_EQ(kindOfRun(experiment), "matmul float framework");
}

TEST(KindOfProgram, IsOfKernelsAndHost) {
  EXPECT_EQ(kindOfProgram(gpu::linearLayer({64, 64}), gpu::Host::None), "gpu gemm");
  EXPECT_EQ(kindOfProgram(gpu::linearLayer({64, 64}), gpu::Host::Eager), "gpu gemm eager");
  EXPECT_EQ(kindOfProgram(gpu::butterflyLayer({64, 64}), gpu::Host::Eager), "gpu butterfly eager");
}

TEST(Spread, IsOfItsKindWhereThereAreRows) {
  const Uncertainty spread = spreadOf("matmul float");
  EXPECT_EQ(spread.rows, 23U);
  EXPECT_GT(spread.spread, 0.01);
  EXPECT_LT(spread.spread, 0.08);
}

TEST(Spread, IsThatOfAllRowsWhereThereAreFew) {
  const Uncertainty none = spreadOf("attention float");
  EXPECT_EQ(none.rows, 0U);
  EXPECT_GT(none.spread, spreadOf("matmul float").spread);
  EXPECT_EQ(spreadOf("stream float").spread, none.spread);
  EXPECT_LT(spreadOf("gpu attention").spread, none.spread);
}

Sizes uncertainProduct(double m, double k, double n) {
  return {{"m", m}, {"k", k}, {"n", n}};
}

TEST(Sizes, AreTheNumbersOfTheWorkload) {
  const Sizes sizes = sizesOf(SortedJson::parse(
      R"({"machine": {"tiles": 4}, "workload": {"kind": "conv", "batch": 2, "field": [3, 4], "seed": 5}})"));
  EXPECT_EQ(sizes, (Sizes{{"batch", 2}, {"field_0", 3}, {"field_1", 4}}));
  EXPECT_TRUE(sizesOf({}).empty());
}

TEST(AreNear, IsWithinAFactorOfTwo) {
  EXPECT_TRUE(areNear(uncertainProduct(1024, 1024, 64), uncertainProduct(1024, 2048, 128)));
  EXPECT_FALSE(areNear(uncertainProduct(1024, 1024, 64), uncertainProduct(1024, 1024, 136)));
  EXPECT_FALSE(areNear(uncertainProduct(1024, 1024, 136), uncertainProduct(1024, 1024, 64)));
}

TEST(AreNear, IsAsDivisibleByEight) {
  EXPECT_FALSE(areNear(uncertainProduct(2039, 2039, 2039), uncertainProduct(2048, 2048, 2048)));
  EXPECT_TRUE(areNear(uncertainProduct(2039, 2039, 2039), uncertainProduct(2041, 2041, 2041)));
}

TEST(AreNear, TakesAMissingSizeForOne) {
  EXPECT_TRUE(areNear({{"m", 64}}, {{"m", 64}, {"groups", 1}}));
  EXPECT_FALSE(areNear({{"m", 64}}, {{"m", 64}, {"groups", 16}}));
}

TEST(Spread, OfNearRowsIsNoNarrowerThanThatOfTheKind) {
  const Uncertainty near = spreadOf("matmul float", uncertainProduct(2048, 2048, 2048));
  EXPECT_EQ(near.near_rows, 7U);
  EXPECT_EQ(near.wider_because, "");
  EXPECT_DOUBLE_EQ(near.spread, spreadOf("matmul float").spread);
  // The errors of n = 32, 64 and 128 are 8.90, 9.00 and 6.27 %: 8.16 % together.
  EXPECT_NEAR(spreadOf("matmul float", uncertainProduct(4096, 4096, 64)).spread, 0.0816, 0.0002);
}

TEST(Spread, IsThatOfAnyRunWhereNoRowIsNear) {
  const double any = spreadOf("attention float").spread;
  for (const Sizes& sizes : {uncertainProduct(1, 1, 1), uncertainProduct(4096, 4096, 1)}) {
    const Uncertainty far = spreadOf("matmul float", sizes);
    EXPECT_DOUBLE_EQ(far.spread, any);
    EXPECT_EQ(far.wider_because, "none of the 23 published runs of this kind is near");
  }
  // (1024, 1024) x 1024 and x 2048, and 3584 in each dimension: 8 divides all of them.
  const Uncertainty prime = spreadOf("matmul float", uncertainProduct(2039, 2039, 2039));
  EXPECT_DOUBLE_EQ(prime.spread, any);
  EXPECT_EQ(prime.wider_because,
            "none of the 23 published runs of this kind is near, the 3 of like sizes are padded "
            "differently");
  EXPECT_EQ(spreadOf("matmul float", uncertainProduct(4096, 4096, 8)).wider_because,
            "only 1 of the 23 published runs of this kind is near");
  EXPECT_EQ(spreadOf("attention float", {}).wider_because, "no published run is of this kind");
}

TEST(Uncertainty, OfARunAddsSharesOfItsConstants) {
  Experiment experiment = twoTileExperiment();
  RunResult result = twoTileResult();
  EXPECT_DOUBLE_EQ(result.uncertainty.constants, 0);
  EXPECT_NEAR(relativeOf(result.uncertainty), result.uncertainty.spread, 1e-12);
  // The shares of other constants are unknown, so these count in full. Their squares add up.
  experiment.executable.system.ipu.fitted = {{"one", 100, 3}, {"other", 10, 0.4}};
  const Uncertainty more = uncertaintyOf(experiment, result);
  EXPECT_NEAR(more.constants, 0.05, 1e-12);
  EXPECT_NEAR(relativeOf(more), std::hypot(0.05, more.spread), 1e-12);
}

TEST(Uncertainty, OfARunLeavesOutConstantsItDoesNotUse) {
  Experiment experiment = twoTileExperiment();
  experiment.executable.system.ipu.fitted = {{"compiled_slots_per_1000_elements", 7000, 700},
                                             {"framework_bytes_per_second", 1e9, 1e8},
                                             {"cycle_counter_cycles", 60, 6}};
  RunResult result = twoTileResult();
  EXPECT_DOUBLE_EQ(uncertaintyOf(experiment, result).constants, 0);
  // The counter is 60 of 120 cycles, known to 10 %.
  experiment.workload.timing = TimingMode::TileCountersRaw;
  experiment.executable.system.ipu.cycle_counter = Cycles(60);
  EXPECT_NEAR(uncertaintyOf(experiment, result).constants, 0.05, 1e-12);
}

/// A long product follows the tile efficiency's base, whose error is 3.6 % of 1.05 at tiles of 128.
TEST(Uncertainty, OfAProductIsThatOfItsTileEfficiency) {
  const Uncertainty band =
      *gpuResultOf(hostedA30(gpu::Host::None), gpu::linearLayer({8192, 8192}), Flops(1))
           .uncertainty;
  EXPECT_NEAR(band.constants, 0.03, 0.002);
}

/// The host decides alone: the time of a linear layer, known to 40 %, times a ratio.
TEST(Uncertainty, OfAnEagerLayerIsThatOfItsHost) {
  const Uncertainty band =
      *gpuResultOf(hostedA30(gpu::Host::Eager), gpu::butterflyLayer({128, 16}), Flops(1))
           .uncertainty;
  EXPECT_NEAR(band.constants, std::hypot(0.4, 0.03), 0.01);
}

/// A product from the framework depends on two constants that were fitted to one row together: one
/// is too small by as much as the other is too large.
TEST(Uncertainty, OfConstantsFittedTogetherIsLessThanTheirSum) {
  CompareOptions options = hostedA30(gpu::Host::Eager);
  const gpu::Program program = gpu::linearLayer({8192, 8192});
  const double together = gpuResultOf(options, program, Flops(1)).uncertainty->constants;
  for (gpu::Constant& constant : options.machine.constants) constant.correlations.clear();
  EXPECT_LT(together, 0.8 * gpuResultOf(options, program, Flops(1)).uncertainty->constants);
}

TEST(Band, IsLeftOutWhereNobodyAsks) {
  const auto result =
      gpuResultOf(hostedA30(gpu::Host::None), gpu::linearLayer({64, 64}), Flops(1), Band::Without);
  EXPECT_FALSE(result.uncertainty.has_value());
}

TEST(BandText, IsInPercentOrAFactor) {
  EXPECT_EQ(report::bandText(0.96, 1.04), "± 4 %");
  EXPECT_EQ(report::bandText(0.996, 1.004), "± 0.4 %");
  EXPECT_EQ(report::bandText(0.5, 2), "within a factor of 2");
}

}  // namespace
}  // namespace ipusim::run
