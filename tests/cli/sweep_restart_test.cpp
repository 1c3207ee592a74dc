// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <random>

#include "tests/cli/sweep_cli_test.h"

namespace ipusim::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kKills = 20;

class SweepRestart : public SweepCliTest {
 protected:
  /// 300 points of milliseconds, some of which do not fit or are invalid.
  [[nodiscard]] std::string sweep() const {
    (void)write("run.toml",
                "machine = \"gc200\"\n[workload]\nkind = \"codelet\"\ncodelet = \"copy\"\n"
                "type = \"float\"\nelements = 16\ntiles = [0]\n");
    return write("sweep.toml",
                 "run = \"run.toml\"\n[axes]\nworkload.elements = {from = 0, to = 200000, count = "
                 "150}\nworkload.type = [\"half\", \"float\"]\n");
  }
  [[nodiscard]] bool hasStore() const {
    return std::filesystem::exists(folder() / "out" / "sweep.sqlite");
  }
};

/// Rows that are there stay as they are.
void expectKept(const std::map<std::int64_t, double>& before,
                const std::map<std::int64_t, double>& after) {
  for (const auto& [point, seconds] : before) {
    const auto found = after.find(point);
    ASSERT_NE(found, after.end()) << "lost " << point;
    EXPECT_EQ(found->second, seconds) << "computed again: " << point;
  }
}

TEST_F(SweepRestart, TwentyKillsCostNothing) {
  const std::vector<std::string> whole = {"sweep", sweep(), "--out", out("whole")};
  const Clock::time_point begin = Clock::now();
  ASSERT_EQ(run(whole).exit_code, 0);
  const std::chrono::duration<double> uninterrupted = Clock::now() - begin;
  // A twentieth on average, so that the sweep is rarely done before its last kill.
  std::mt19937 random(1);
  std::uniform_real_distribution<double> delay(0, 2 * uninterrupted.count() / kKills);
  std::map<std::int64_t, double> before;
  int under_way = 0;
  for (int kill = 0; kill < kKills; ++kill) {
    IpusimProcess process(folder(), {"sweep", sweep(), "--out", out()});
    std::this_thread::sleep_for(std::chrono::duration<double>(delay(random)));
    process.kill();
    process.wait();
    if (!hasStore()) continue;
    const auto after = stored();
    expectKept(before, after);
    under_way += after.size() > before.size() && after.size() < 300 ? 1 : 0;
    before = after;
  }
  EXPECT_GE(under_way, kKills / 4);
  ASSERT_EQ(run({"sweep", sweep(), "--out", out()}).exit_code, 0);
  expectKept(before, stored());
  EXPECT_EQ(stored().size(), 300U);
  EXPECT_EQ(table(), table("whole"));
}

}  // namespace
}  // namespace ipusim::cli
