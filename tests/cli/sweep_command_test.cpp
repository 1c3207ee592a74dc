// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

#include "sim/explore/sqlite.h"
#include "tests/cli/cli_test_base.h"

namespace ipusim::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

class SweepCommand : public CliTest {
 protected:
  /// 600 points, some of which do not fit or are invalid.
  [[nodiscard]] std::string manyPoints() const {
    (void)smallRun();
    return write("sweep.toml",
                 "run = \"run.toml\"\n[axes]\nworkload.elements = {from = 0, to = 59700, count = "
                 "200}\nworkload.type = [\"half\", \"float\", \"none\"]\n");
  }
  /// The second of three points never ends: nobody writes into the pipe that it reads.
  [[nodiscard]] std::string longPoint() const {
    (void)smallRun();
    const std::string pipe = (folder() / "stuck.toml").string();
    EXPECT_EQ(mkfifo(pipe.c_str(), S_IRWXU), 0);
    return write("sweep.toml",
                 "run = \"run.toml\"\n[axes]\nmachine = [\"toy\", \"" + pipe + "\", \"bow\"]\n");
  }
  [[nodiscard]] std::string out(const std::string& name = "out") const {
    return (folder() / name).string();
  }
  [[nodiscard]] std::string table(const std::string& name = "out") const {
    return textOf(folder() / name / "results.csv");
  }
  /// What the store says each point took, in seconds: differs where one is computed again.
  [[nodiscard]] std::map<std::int64_t, double> stored() const {
    const explore::Database database(folder() / "out" / "sweep.sqlite");
    explore::Statement rows(database, "SELECT point, seconds FROM points");
    std::map<std::int64_t, double> seconds;
    while (rows.step()) seconds[rows.whole(0)] = rows.real(1);
    return seconds;
  }
};

/// Waits until `holds`; false after a time that no machine should need.
template <typename Condition>
bool comesTrue(const Condition& holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

/// Some points are in the store and not yet all: its journal takes 4 KiB a page, a page or more a
/// point.
bool isUnderWay(const fs::path& out) {
  std::error_code none;
  const std::uintmax_t bytes = fs::file_size(out / "sweep.sqlite-wal", none);
  return !none && bytes > 200'000;
}

TEST_F(SweepCommand, WritesTheSameBytesWithAnyNumberOfJobs) {
  const std::string sweep = manyPoints();
  const Finished one = run({"sweep", sweep, "--out", out("one")});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_THAT(one.out, HasSubstr("results.csv: 600 points: "));
  EXPECT_EQ(run({"sweep", sweep, "--out", out("three"), "--jobs", "3"}).exit_code, 0);
  EXPECT_EQ(table("one"), table("three"));
  const std::string text = table("one");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 601);
  for (const char* status : {",ok,", ",does_not_fit,", "invalid: "}) {
    EXPECT_THAT(text, HasSubstr(status));
  }
}

TEST_F(SweepCommand, GoesOnWhereItWasKilled) {
  const std::string sweep = manyPoints();
  ASSERT_EQ(run({"sweep", sweep, "--out", out("whole")}).exit_code, 0);
  IpusimProcess process(folder(), {"sweep", sweep, "--out", out(), "--jobs", "2"});
  ASSERT_TRUE(comesTrue([&] { return isUnderWay(out()); }));
  process.kill();
  process.wait();
  const auto before = stored();
  EXPECT_GT(before.size(), 0U);
  EXPECT_LT(before.size(), 600U);
  const Finished rest = run({"sweep", sweep, "--out", out(), "--jobs", "2"});
  EXPECT_EQ(rest.exit_code, 0);
  EXPECT_THAT(rest.err, StartsWith("ipusim: " + std::to_string(before.size()) + " of 600 points"));
  EXPECT_EQ(table(), table("whole"));
  const auto after = stored();
  for (const auto& [point, seconds] : before) EXPECT_EQ(after.at(point), seconds) << point;
}

TEST_F(SweepCommand, RefusesTheFolderOfAnotherSweep) {
  const std::string sweep = manyPoints();
  ASSERT_EQ(run({"sweep", sweep, "--out", out()}).exit_code, 0);
  (void)write("sweep.toml", "run = \"run.toml\"\n[axes]\nworkload.elements = [1, 2]\n");
  const Finished refused = run({"sweep", sweep, "--out", out()});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("another config; give another --out, or remove the file"));
}

TEST_F(SweepCommand, ATimeoutIsARow) {
  const Finished finished = run({"sweep", longPoint(), "--out", out(), "--timeout", "10"});
  EXPECT_EQ(finished.exit_code, 70) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("3 points: 2 ok, 0 do not fit, 0 invalid, 1 failed"));
  EXPECT_THAT(table(), HasSubstr("stuck.toml,failed: timeout: it took longer than 10 s,"));
}

TEST_F(SweepCommand, AnInterruptLeavesAStoreToGoOnWith) {
  const std::string sweep = manyPoints();
  IpusimProcess process(folder(), {"sweep", sweep, "--out", out()});
  ASSERT_TRUE(comesTrue([&] { return isUnderWay(out()); }));
  process.interrupt();
  const Finished finished = process.wait();
  EXPECT_EQ(finished.exit_code, 130);
  EXPECT_EQ(finished.out, "");
  EXPECT_THAT(finished.err, HasSubstr("points are in"));
  EXPECT_THAT(finished.err, HasSubstr("the same command goes on"));
  EXPECT_EQ(run({"sweep", sweep, "--out", out()}).exit_code, 0);
  EXPECT_EQ(stored().size(), 600U);
}

TEST_F(SweepCommand, ADryRunListsThePoints) {
  const Finished finished = run({"sweep", longPoint(), "--out", out(), "--dry-run"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.out, "machine=\"toy\"\nmachine=\"" + (folder() / "stuck.toml").string() +
                              "\"\nmachine=\"bow\"\n");
  EXPECT_FALSE(fs::exists(out()));
}

}  // namespace
}  // namespace ipusim::cli
