// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>

#include "sim/studies/sweep/store/sweep_store.h"
#include "tests/cli/sweep_cli_test.h"

namespace ipusim::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

class SweepCommand : public SweepCliTest {};

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
  EXPECT_THAT(rest.err, HasSubstr("ipusim: " + std::to_string(before.size()) + " of 600 points"));
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
  const Finished finished = run({"sweep", longPoint(), "--out", out(), "--timeout", "2"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("3 points: 2 ok, 0 do not fit, 0 invalid, 1 failed"));
  EXPECT_THAT(table(), HasSubstr("stuck.toml,failed: timeout: it took longer than 2 s,"));
  EXPECT_THAT(finished.err,
              HasSubstr("1 points failed, their rows say why; the same command tries"));
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

TEST_F(SweepCommand, TheSystemAndAClosedTerminalInterruptIt) {
  const std::string sweep = manyPoints();
  for (const int signal : {SIGTERM, SIGHUP}) {
    const std::string name = "out" + std::to_string(signal);
    IpusimProcess process(folder(), {"sweep", sweep, "--out", out(name), "--jobs", "2"});
    ASSERT_TRUE(comesTrue([&] { return isUnderWay(out(name)); }));
    process.signal(signal);
    const Finished finished = process.wait();
    EXPECT_EQ(finished.exit_code, 130);
    EXPECT_EQ(finished.out, "");
    EXPECT_THAT(finished.err, HasSubstr("ipusim: interrupted: "));
    EXPECT_LT(stored(name).size(), 600U);
    EXPECT_EQ(run({"sweep", sweep, "--out", out(name)}).exit_code, 0);
    EXPECT_EQ(stored(name).size(), 600U);
  }
}

TEST_F(SweepCommand, TriesFailedPointsAgain) {
  (void)smallRun();
  const std::string sweep =
      write("sweep.toml", "run = \"run.toml\"\n[axes]\nmachine.tiles = [1, 2, 3]\n");
  ASSERT_EQ(run({"sweep", sweep, "--out", out()}).exit_code, 0);
  const std::string text = table();
  sweep::Database(folder() / "out" / "sweep.sqlite").execute("DELETE FROM points WHERE point = 1");
  sweep::SweepStore(folder() / "out").add(1, "", {sweep::Status::Failed, "x", "{}", -1});
  const auto before = stored();
  const Finished again = run({"sweep", sweep, "--out", out()});
  EXPECT_THAT(again.err, HasSubstr("ipusim: 1 points in "));
  EXPECT_EQ(table(), text);
  const auto after = stored();
  EXPECT_GE(after.at(1), 0);
  for (const std::int64_t point : {0, 2}) EXPECT_EQ(after.at(point), before.at(point));
}

TEST_F(SweepCommand, ComputesDamagedPointsAgainAndSaysSo) {
  (void)smallRun();
  const std::string sweep =
      write("sweep.toml", "run = \"run.toml\"\n[axes]\nmachine.tiles = [1, 2, 3]\n");
  ASSERT_EQ(run({"sweep", sweep, "--out", out()}).exit_code, 0);
  const std::string text = table();
  sweep::Database(folder() / "out" / "sweep.sqlite")
      .execute("UPDATE points SET result = replace(result, '1', '2') WHERE point = 1");
  const Finished merged = run({"merge", out(), "--out", out("merged")});
  EXPECT_EQ(merged.exit_code, 2);
  EXPECT_THAT(merged.err, HasSubstr("sweep.sqlite: wanted points as they were written, found 1"));
  const Finished again = run({"sweep", sweep, "--out", out()});
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(again.err, HasSubstr("ipusim: damaged points in " + out() +
                                   "/sweep.sqlite, which are computed again: 1\n"));
  EXPECT_EQ(table(), text);
}

TEST_F(SweepCommand, LeavesOutWhatTheConditionDoesNotAskFor) {
  (void)smallRun();
  const std::string sweep = write("sweep.toml",
                                  "run = \"run.toml\"\nwhere = \"machine.tiles * workload.elements "
                                  "<= 64\"\n[axes]\nmachine.tiles = [1, 2, 4]\n"
                                  "workload.elements = [16, 32, 64]\n");
  ASSERT_EQ(run({"sweep", sweep, "--out", out()}).exit_code, 0);
  const std::string text = table();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 6);
  EXPECT_THAT(text, HasSubstr("\n4,16,ok"));
  EXPECT_THAT(text, testing::Not(HasSubstr("\n4,32")));
}

TEST_F(SweepCommand, ADryRunListsThePointsAndTheTime) {
  const Finished finished = run({"sweep", longPoint(), "--out", out(), "--dry-run"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.out, "machine=\"toy\"\nmachine=\"" + (folder() / "stuck.toml").string() +
                              "\"\nmachine=\"bow\"\n");
  EXPECT_THAT(finished.err, StartsWith("ipusim: 3 points, at least "));
  EXPECT_FALSE(fs::exists(out()));
}

TEST_F(SweepCommand, ShardsMergeIntoTheWhole) {
  const std::string sweep = manyPoints();
  ASSERT_EQ(run({"sweep", sweep, "--out", out("whole")}).exit_code, 0);
  for (const std::string shard : {"1", "2", "3"}) {
    const Finished part = run({"sweep", sweep, "--out", out(shard), "--shard", shard + "/3"});
    EXPECT_EQ(part.exit_code, 0) << part.err;
    EXPECT_GT(stored(shard).size(), 100U);
  }
  const Finished merged = run({"merge", out("1"), out("2"), out("3"), "--out", out()});
  EXPECT_EQ(merged.exit_code, 0) << merged.err;
  EXPECT_THAT(merged.out, HasSubstr("results.csv: 600 points: "));
  EXPECT_EQ(table(), table("whole"));
}

TEST_F(SweepCommand, ALostShardIsComputedAfterTheMerge) {
  const std::string sweep = manyPoints();
  ASSERT_EQ(run({"sweep", sweep, "--out", out("whole")}).exit_code, 0);
  ASSERT_EQ(run({"sweep", sweep, "--out", out("1"), "--shard", "1/2"}).exit_code, 0);
  ASSERT_EQ(run({"merge", out("1"), "--out", out()}).exit_code, 0);
  const auto before = stored();
  EXPECT_EQ(run({"sweep", sweep, "--out", out()}).exit_code, 0);
  EXPECT_EQ(table(), table("whole"));
  for (const auto& [point, seconds] : before) EXPECT_EQ(stored().at(point), seconds) << point;
}

TEST_F(SweepCommand, MergesOnlyPartsOfOneSweep) {
  ASSERT_EQ(run({"sweep", manyPoints(), "--out", out("1"), "--shard", "1/300"}).exit_code, 0);
  const std::string other =
      write("other.toml", "run = \"run.toml\"\n[axes]\nmachine.tiles = [1]\n");
  ASSERT_EQ(run({"sweep", other, "--out", out("2")}).exit_code, 0);
  const Finished mixed = run({"merge", out("1"), out("2"), "--out", out()});
  EXPECT_EQ(mixed.exit_code, 2);
  EXPECT_THAT(mixed.err, HasSubstr("/2: wanted the sweep of "));
  EXPECT_THAT(run({"merge", out("3"), "--out", out()}).err,
              HasSubstr("store of a sweep, found none"));
  EXPECT_THAT(run({"merge", out("1"), "--out", out("1")}).err, HasSubstr("wanted another folder"));
}

TEST_F(SweepCommand, AShardIsAPartOfAWhole) {
  const std::string sweep = manyPoints();
  for (const char* wrong : {"0/3", "4/3", "1", "1/3x", "-1/3", "a/b"}) {
    const Finished finished = run({"sweep", sweep, "--out", out(), "--shard", wrong});
    EXPECT_EQ(finished.exit_code, 2) << wrong;
    EXPECT_THAT(finished.err, HasSubstr("--shard: wanted I/N")) << wrong;
  }
}

}  // namespace
}  // namespace ipusim::cli
