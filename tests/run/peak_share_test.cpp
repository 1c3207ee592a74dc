// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/run/simulate.h"

// No units do more than their peak: the share of a run is that of the units that did its work.

namespace ipusim::run {
namespace {

struct SizedRun {
  std::string name;
  std::string config;  ///< of configs/runs
  std::vector<Override> sizes;
};

RunResult resultOf(const SizedRun& run) {
  const auto file = findConfigFile("configs/runs/" + run.config + ".toml", {});
  return simulate(ConfigReader::fromFile(file, run.sizes), Engine::ClosedForm);
}

/// Sizes at which the products of a layer are most of its work, and sizes at which they are not.
std::vector<SizedRun> sizedRuns() {
  return {
      {"butterfly", "butterfly", {{"workload.batch", "1024"}}},
      {"circulant", "circulant", {}},
      {"circulant_of_many_rows", "circulant", {{"workload.batch", "4096"}}},
      {"circulant_of_few_features",
       "circulant",
       {{"workload.features", "256"}, {"workload.batch", "65536"}}},
      {"conv", "conv", {}},
      {"elementwise", "elementwise", {}},
      {"fastfood", "fastfood", {{"workload.batch", "1024"}}},
      {"linear", "linear", {{"workload.batch", "4096"}}},
      {"low_rank", "low_rank", {}},
      {"low_rank_of_a_large_rank",
       "low_rank",
       {{"workload.rank", "512"}, {"workload.batch", "4096"}}},
      {"matmul", "matmul", {}},
      {"pixelfly", "pixelfly", {}},
      {"pixelfly_of_a_large_rank",
       "pixelfly",
       {{"workload.rank", "2048"}, {"workload.batch", "512"}}},
      {"sparse_matmul", "sparse_matmul", {}},
      {"stream", "stream", {}},
  };
}

class PeakShare : public testing::TestWithParam<SizedRun> {};

TEST_P(PeakShare, IsAtMostOne) {
  const RunResult result = resultOf(GetParam());
  ASSERT_TRUE(result.work.peak_fraction);
  EXPECT_GT(*result.work.peak_fraction, 0);
  EXPECT_LE(*result.work.peak_fraction, 1);
}

INSTANTIATE_TEST_SUITE_P(Runs, PeakShare, testing::ValuesIn(sizedRuns()),
                         [](const auto& test) { return test.param.name; });

TEST(PeakShare, OfALayerIsThatOfTheUnitsThatItsProductsRunOn) {
  const SizedRun large{"", "low_rank", {{"workload.rank", "512"}, {"workload.batch", "4096"}}};
  EXPECT_EQ(resultOf(large).work.peak_units, "the matrix engines at its types");
  EXPECT_EQ(resultOf({"", "butterfly", {}}).work.peak_units, "the vector units at its type");
}

}  // namespace
}  // namespace ipusim::run
