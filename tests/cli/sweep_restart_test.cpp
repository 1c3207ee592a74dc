// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <random>

#include "tests/cli/sweep_cli_test.h"

namespace ipusim::cli {
namespace {

constexpr int kKills = 20;

class SweepRestart : public SweepCliTest {
 protected:
  /// 300 points that take milliseconds, some of which do not fit or are invalid.
  [[nodiscard]] std::string sweep() const {
    (void)write("run.toml",
                "machine = \"gc200\"\n[workload]\nkind = \"codelet\"\ncodelet = \"copy\"\n"
                "type = \"float\"\nelements = 16\ntiles = [0]\n");
    return write("sweep.toml",
                 "run = \"run.toml\"\n[axes]\nworkload.elements = {from = 0, to = 200000, count = "
                 "150}\nworkload.type = [\"half\", \"float\"]\n");
  }
  /// Waits until the journal of the store has changed `writes` times.
  [[nodiscard]] bool seeWrites(int writes) const {
    const std::filesystem::path journal = folder() / "out" / "sweep.sqlite-wal";
    std::filesystem::file_time_type last{};
    int seen = -1;
    return comesTrue([&] {
      std::error_code none;
      const auto now = std::filesystem::last_write_time(journal, none);
      if (!none && now != last) {
        last = now;
        ++seen;
      }
      return seen >= writes;
    });
  }
};

/// Expects that stored rows stay as they are.
void expectKept(const std::map<std::int64_t, double>& before,
                const std::map<std::int64_t, double>& after) {
  for (const auto& [point, seconds] : before) {
    const auto found = after.find(point);
    ASSERT_NE(found, after.end()) << "lost " << point;
    EXPECT_EQ(found->second, seconds) << "computed again: " << point;
  }
}

TEST_F(SweepRestart, TwentyKillsCostNothing) {
  ASSERT_EQ(run({"sweep", sweep(), "--out", out("whole")}).exit_code, 0);
  std::mt19937 random(1);
  std::uniform_int_distribution<int> writes(1, 6);
  std::map<std::int64_t, double> before;
  for (int kill = 0; kill < kKills; ++kill) {
    IpusimProcess process(folder(), {"sweep", sweep(), "--out", out()});
    ASSERT_TRUE(seeWrites(writes(random))) << kill;
    process.kill();
    process.wait();
    const auto after = stored();
    expectKept(before, after);
    EXPECT_GE(after.size(), before.size());
    EXPECT_LT(after.size(), 300U) << "there was nothing to kill any more";
    before = after;
  }
  EXPECT_GE(before.size(), static_cast<std::size_t>(kKills));
  ASSERT_EQ(run({"sweep", sweep(), "--out", out()}).exit_code, 0);
  expectKept(before, stored());
  EXPECT_EQ(stored().size(), 300U);
  EXPECT_EQ(table(), table("whole"));
}

}  // namespace
}  // namespace ipusim::cli
