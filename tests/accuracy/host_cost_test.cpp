// SPDX-License-Identifier: Apache-2.0
#include "sim/run/host_cost.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "sim/run/simulate.h"
#include "tests/support/sanitizer.h"

namespace ipusim::run {
namespace {

const std::vector<std::string> kRuns = {"pixelfly", "butterfly", "shl_training_baseline",
                                        "shl_training_butterfly", "shl_training_pixelfly"};

ConfigReader configOf(const std::string& run) {
  return ConfigReader::fromFile("configs/runs/" + run + ".toml");
}

HostCost estimated(const std::string& run) {
  RunWork last;
  (void)prepare(configOf(run), [&last](const RunWork& work) { last = work; });
  return hostCost(last, Engine::ClosedForm);
}

double secondsOf(const timeval& time) {
  constexpr double kMicro = 1e-6;
  return static_cast<double>(time.tv_sec) + kMicro * static_cast<double>(time.tv_usec);
}

/// Runs the command on a config. Returns its processor time, which does not depend on what else the
/// computer does, and its peak memory.
HostCost measured(const std::string& run) {
  const std::string config = "configs/runs/" + run + ".toml";
  const pid_t process = fork();
  if (process == 0) {
    unsetenv("IPUSIM_CACHE");
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
    execl(IPUSIM_PROGRAM, IPUSIM_PROGRAM, "run", config.c_str(), "--no-advice", "--engine",
          "closed-form", nullptr);
    _exit(1);
  }
  int status = 0;
  rusage usage{};
  EXPECT_EQ(wait4(process, &status, 0, &usage), process);
  EXPECT_EQ(status, 0);
  constexpr std::uint64_t kKibibyte = 1024;
  return {secondsOf(usage.ru_utime) + secondsOf(usage.ru_stime),
          Bytes(static_cast<std::uint64_t>(usage.ru_maxrss) * kKibibyte)};
}

double meanOf(const std::vector<double>& logarithms) {
  double sum = 0;
  for (const double one : logarithms) sum += one;
  return sum / static_cast<double>(logarithms.size());
}

TEST(HostCost, IsEstimatedWithinItsAccuracy) {
  if (kHasAddressSanitizer) GTEST_SKIP() << "the estimates are of the program as it is shipped";
  std::vector<double> times;
  std::vector<double> bytes;
  for (const std::string& run : kRuns) {
    const HostCost taken = measured(run);
    const HostCost cost = estimated(run);
    times.push_back(std::log(cost.seconds / taken.seconds));
    bytes.push_back(std::log(static_cast<double>(cost.memory.value()) /
                             static_cast<double>(taken.memory.value())));
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
