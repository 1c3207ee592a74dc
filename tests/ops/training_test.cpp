// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/base/error.h"
#include "sim/run/check_experiment.h"
#include "sim/run/simulate.h"
#include "tests/support/toy_machine.h"
#include "workloads/shared/shl_network.h"
#include "workloads/shared/structured_layers.h"

namespace ipusim::workloads {
namespace {

run::Experiment training(const std::string& machine, const std::string& keys) {
  return run::prepare(ConfigReader::fromText(
      fmt::format("machine = \"{}\"\n[workload]\nkind = \"shl_training\"\n{}", machine, keys),
      "test"));
}

/// Gradients are held against differences of the loss, and with them the update.
TEST(Training, HasTheNumbersOfDifferencesOfItsLoss) {
  const std::string small = "features = 8\nclasses = 3\nbatch = 5\n";
  for (const char* hidden :
       {"hidden = \"linear\"", "hidden = \"butterfly\"\nwrapper_bias = \"yes\"",
        "hidden = \"low_rank\"\nrank = 2", "hidden = \"fastfood\"", "hidden = \"circulant\"",
        "hidden = \"pixelfly\"\nbutterfly_size = 4\nblock = 2\nrank = 2"}) {
    EXPECT_TRUE(run::checkNumbers(training("toy", small + hidden)).found.ok) << hidden;
  }
  EXPECT_TRUE(run::checkNumbers(training("gc200", small + "hidden = \"linear\"\nsteps = 3\n"
                                                          "momentum = 0.5\nlearning_rate = 0.1"))
                  .found.ok);
}

/// In so little memory all three passes of a layer go through their channels in steps, which do not
/// divide them.
TEST(Training, HasThemInStepsThatDoNotDivide) {
  for (const char* batch : {"33", "51"}) {
    const run::Experiment uneven = run::prepare(ConfigReader::fromText(
        fmt::format("[machine]\nbase = \"toy\"\nsram_per_tile_bytes = 10922\n"
                    "code_region_bytes = 4096\n[workload]\nkind = \"shl_training\"\n"
                    "hidden = \"linear\"\nfeatures = 97\nclasses = 3\nbatch = {}\n",
                    batch),
        "test"));
    EXPECT_TRUE(run::checkNumbers(uneven).found.ok) << batch;
  }
}

TEST(Training, RepeatsAStepAsOftenAsItSays) {
  const char* keys = "hidden = \"linear\"\nfeatures = 16\nbatch = 4\ncopy_batch = \"yes\"\n";
  const auto cycles = [&](const std::string& times) {
    return run::simulate(training("gc200", keys + times), run::Engine::SystemC).training->seconds;
  };
  const double one = cycles("steps = 2");
  EXPECT_NEAR(cycles("steps = 20\nepochs = 3") / one, 30, 0.2);
  EXPECT_NEAR(cycles("steps = 2\nhost_step_seconds = 0.5") - one, 1.0, 1e-9);
}

TEST(Training, StandsBesideTheDenseNetwork) {
  const run::RunResult result =
      run::simulate(training("gc200", "hidden = \"low_rank\"\nfeatures = 64\nbatch = 8"),
                    run::Engine::ClosedForm);
  ASSERT_TRUE(result.dense.has_value());
  EXPECT_EQ(result.dense->parameters, result.model->dense_parameters);
  EXPECT_EQ(result.dense->parameters, 64U * 65 + 65U * 10);
  EXPECT_GT(*result.dense->memory_ratio, 0.5);
}

/// 2 * 4810 parameters * 50 samples * (4810 + 64) products a step: 17 steps are below the 4e10 that
/// are allowed.
TEST(Training, IsNotCheckedWhereThatTakesForever) {
  const run::Experiment large = training("gc200", "hidden = \"linear\"\nfeatures = 64\nsteps = 18");
  EXPECT_THROW((void)run::checkNumbers(large), ConfigError);
}

TEST(Training, IsCheckableUpToSoMuchWork) {
  // 2 x 1000 x 10 x (1000 + 1000) products a step.
  EXPECT_TRUE(isCheckable({1000, 10, 10, false}, 1000, 1000));
  EXPECT_FALSE(isCheckable({1000, 10, 10, false}, 1000, 1001));
  // 2047 x 2^64: nothing, were it counted in 64 bits.
  EXPECT_FALSE(isCheckable({1U << 16U, 2, 1U << 20U, false}, 2047ULL << 16U, 1));
}

/// Parameters of a network of 1024 features and 10 classes, counted from its variables.
std::uint64_t parametersOf(const std::string& hidden, bool has_wrapper_bias) {
  const ConfigReader config = ConfigReader::fromText("features = 1024\n" + hidden, "test");
  const models::Machine& machine = models::gc200();
  Graph graph;
  const std::string kind = hidden.substr(1, hidden.find('\n') - 1);
  const LayerChoice layer = readStructuredLayer(config, kind);
  const ShlNetwork network(graph, machine, {1024, 10, 50, has_wrapper_bias}, layer.make);
  std::uint64_t count = 0;
  for (const Parameter& parameter : network.parameters()) count += parameter.tensor.elements();
  return count;
}

std::string pixelfly(std::uint64_t butterfly_size, std::uint64_t block, std::uint64_t rank) {
  return fmt::format("#pixelfly\nbutterfly_size = {}\nblock = {}\nrank = {}\n", butterfly_size,
                     block, rank);
}

// arXiv 2309.08946, Table 4.
TEST(Training, HasThePublishedParameters) {
  EXPECT_EQ(parametersOf("#butterfly\n", true), 16'390U);
  EXPECT_EQ(parametersOf("#fastfood\n", false), 14'346U);
  EXPECT_EQ(parametersOf("#circulant\n", false), 12'298U);
  EXPECT_EQ(parametersOf("#low_rank\n", false), 13'322U);
  for (const std::uint64_t block : {4U, 16U, 32U, 64U}) {
    EXPECT_EQ(parametersOf(pixelfly(16, block, 32), false), 404'490U);
  }
}

// Table 5: the count that is printed as the mean is that of the first value of a sweep.
TEST(Training, HasThePublishedParametersOfPixelflySweeps) {
  EXPECT_EQ(parametersOf(pixelfly(2, 32, 2), true), 1'064'970U);
  EXPECT_EQ(parametersOf(pixelfly(128, 8, 2), true), 81'930U);
  EXPECT_EQ(parametersOf(pixelfly(16, 16, 2), true), 344'074U);
}

TEST(Pixelfly, SaysInOneLineWhatItsSizesAreToBe) {
  const auto pixelfly_of = [](const std::string& sizes) {
    return run::prepare(ConfigReader::fromText(
        "machine = \"toy\"\n[workload]\nkind = \"pixelfly\"\nbatch = 2\nrank = 2\n" + sizes,
        "test"));
  };
  EXPECT_THROW(pixelfly_of("features = 784\nbutterfly_size = 16\nblock = 16"), ConfigError);
  EXPECT_THROW(pixelfly_of("features = 64\nbutterfly_size = 12\nblock = 16"), ConfigError);
  EXPECT_THROW(pixelfly_of("features = 64\nbutterfly_size = 16\nblock = 24"), ConfigError);
}

}  // namespace
}  // namespace ipusim::workloads
