// SPDX-License-Identifier: Apache-2.0
#include "sim/run/host_cost.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "sim/run/simulate.h"
#include "tests/accuracy/command_cost.h"
#include "tests/support/sanitizer.h"

namespace ipusim::run {
namespace {

const std::vector<std::string> kRuns = {"pixelfly", "butterfly", "shl_training_baseline",
                                        "shl_training_butterfly", "shl_training_pixelfly"};

std::string fileOf(const std::string& run) {
  return "configs/runs/" + run + ".toml";
}

HostCost estimated(const std::string& run) {
  RunWork last;
  (void)prepare(ConfigReader::fromFile(fileOf(run)), [&last](const RunWork& work) { last = work; });
  return hostCost(last, Engine::ClosedForm);
}

double meanOf(const std::vector<double>& logarithms) {
  double sum = 0;
  for (const double one : logarithms) sum += one;
  return sum / static_cast<double>(logarithms.size());
}

TEST(HostCost, IsEstimatedWithinItsAccuracy) {
  if (kHasAddressSanitizer) GTEST_SKIP() << "the estimates are of the program as it is shipped";
  // Graphs of estimates would count as memory of the commands.
  std::vector<HostCost> taken;
  for (const std::string& run : kRuns) taken.push_back(measuredCost({"run", fileOf(run)}));
  std::vector<double> times;
  std::vector<double> bytes;
  for (std::size_t i = 0; i < kRuns.size(); ++i) {
    const HostCost cost = estimated(kRuns[i]);
    times.push_back(std::log(cost.seconds / taken[i].seconds));
    bytes.push_back(std::log(static_cast<double>(cost.memory.value()) /
                             static_cast<double>(taken[i].memory.value())));
  }
  // Another computer and another build are slower or faster at all of them.
  const double speed = meanOf(times);
  for (std::size_t i = 0; i < kRuns.size(); ++i) {
    EXPECT_LT(std::exp(std::abs(times[i] - speed)), kHostCostAccuracy) << kRuns[i];
    EXPECT_LT(std::exp(std::abs(bytes[i])), kHostCostAccuracy) << kRuns[i];
  }
}

}  // namespace
}  // namespace ipusim::run
