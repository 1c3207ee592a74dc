// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <csignal>
#include <exception>
#include <filesystem>
#include <fstream>

#include "tests/cli/sweep_cli_test.h"
#include "tests/support/sanitizer.h"

namespace ipusim::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class SweepMpi : public SweepCliTest {
 protected:
  [[nodiscard]] IpusimProcess underMpi(const std::vector<std::string>& arguments) const {
    return {folder(), launcher(), arguments};
  }
  /// In the last rank, runs `command` of the shell before the program.
  [[nodiscard]] Finished withLastRank(const std::string& command,
                                      const std::vector<std::string>& arguments) const {
    std::vector<std::string> words = launcher();
    words.insert(
        words.end(),
        {"sh", "-c", "if [ \"$OMPI_COMM_WORLD_RANK\" = 2 ]; then " + command + "; fi; exec \"$@\"",
         "sh"});
    return IpusimProcess(folder(), words, arguments).wait();
  }

  static std::vector<std::string> launcher(const std::string& ranks = "3") {
    // Memory that Open MPI leaves behind at its end does not count.
    return {"env",
            "ASAN_OPTIONS=detect_leaks=0",
            "mpirun",
            "--allow-run-as-root",
            "--oversubscribe",
            "-n",
            ranks};
  }
};

TEST_F(SweepMpi, ThreeRanksWriteTheSameBytesAsOneProcess) {
  const std::string sweep = manyPoints();
  ASSERT_EQ(run({"sweep", sweep, "--out", out("one")}).exit_code, 0);
  const Finished ranks = underMpi({"sweep", sweep, "--out", out()}).wait();
  EXPECT_EQ(ranks.exit_code, 0) << ranks.err;
  EXPECT_THAT(ranks.out, HasSubstr("results.csv: 600 points: "));
  EXPECT_EQ(table(), table("one"));
}

TEST_F(SweepMpi, AKilledRankLeavesAStoreToGoOnWith) {
  const std::string sweep = manyPoints();
  ASSERT_EQ(run({"sweep", sweep, "--out", out("one")}).exit_code, 0);
  IpusimProcess ranks = underMpi({"sweep", sweep, "--out", out()});
  ASSERT_TRUE(comesTrue([&] { return isUnderWay(out()); }));
  const std::vector<pid_t> processes = ranks.children();
  ASSERT_EQ(processes.size(), 3U);
  kill(processes.back(), SIGKILL);
  EXPECT_NE(ranks.wait().exit_code, 0);
  // The owner may end a moment after mpirun, and holds the store until then.
  const auto is_free = [&] {
    try {
      (void)stored();
      return true;
    } catch (const std::exception&) {
      return false;
    }
  };
  ASSERT_TRUE(comesTrue(is_free));
  const auto before = stored();
  EXPECT_GT(before.size(), 0U);
  EXPECT_LT(before.size(), 600U);
  EXPECT_EQ(run({"sweep", sweep, "--out", out()}).exit_code, 0);
  EXPECT_EQ(table(), table("one"));
  for (const auto& [point, seconds] : before) EXPECT_EQ(stored().at(point), seconds) << point;
}

TEST_F(SweepMpi, ACrashAndATimeoutCostAPoint) {
  const Finished ranks = underMpi({"sweep", longPoint(), "--out", out(), "--timeout", "1"}).wait();
  EXPECT_EQ(ranks.exit_code, 0) << ranks.err;
  EXPECT_THAT(ranks.out, HasSubstr("3 points: 2 ok, 0 do not fit, 0 invalid, 1 failed"));
}

TEST_F(SweepMpi, WhatIsWrongIsToldOnce) {
  const Finished broken =
      underMpi({"sweep", write("sweep.toml", "run = 3\n"), "--out", out()}).wait();
  EXPECT_EQ(broken.exit_code, 2);
  const std::size_t first = broken.err.find("run: wanted a text");
  ASSERT_NE(first, std::string::npos) << broken.err;
  EXPECT_EQ(broken.err.find("run: wanted a text", first + 1), std::string::npos) << broken.err;
}

TEST_F(SweepMpi, ARankWithOtherFilesIsNamed) {
  const std::string sweep = manyPoints();
  std::filesystem::create_directories(folder() / "other" / "configs");
  std::ofstream(folder() / "other" / "configs" / "spread.toml") << "# another one\n";
  const Finished ranks =
      withLastRank("cd " + (folder() / "other").string(), {"sweep", sweep, "--out", out()});
  EXPECT_EQ(ranks.exit_code, 0) << ranks.err;
  EXPECT_THAT(ranks.out, HasSubstr("results.csv: 600 points: "));
  EXPECT_THAT(ranks.err,
              HasSubstr("rank 2: wanted the build and the files of rank 0, found others"));
}

TEST_F(SweepMpi, ARankThatGivesUpSaysWhyAndIsNoInterrupt) {
  if (kHasAddressSanitizer) GTEST_SKIP() << "sanitizers need descriptors of their own";
  // Each process takes a descriptor; those of MPI itself are fewer than a hundred.
  const Finished ranks =
      withLastRank("ulimit -n 100", {"sweep", manyPoints(), "--out", out(), "--jobs", "150"});
  EXPECT_EQ(ranks.exit_code, 2);
  EXPECT_THAT(ranks.err, HasSubstr("ipusim: rank 2: "));
  EXPECT_THAT(ranks.err, HasSubstr(" of 600 points are in "));
  EXPECT_THAT(ranks.err, Not(HasSubstr("interrupted")));
}

TEST_F(SweepMpi, ASearchIsOneProcess) {
  const Finished ranks = underMpi({"explore", manyPoints(), "--out", out()}).wait();
  EXPECT_EQ(ranks.exit_code, 2);
  EXPECT_THAT(ranks.err,
              HasSubstr("ipusim explore: wanted one process, found several ranks of MPI"));
}

TEST_F(SweepMpi, OneRankIsOneProcess) {
  const Finished rank =
      IpusimProcess(folder(), launcher("1"), {"explore", "no.toml", "--out", out()}).wait();
  EXPECT_EQ(rank.exit_code, 2);
  EXPECT_THAT(rank.err, HasSubstr("\"no.toml\": wanted a file"));
}

}  // namespace
}  // namespace ipusim::cli
