// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "sim/studies/sweep/run_sweep.h"
#include "sim/studies/sweep/store/merge.h"
#include "sim/studies/sweep/store/sweep_identity.h"
#include "tests/support/thrown.h"
#include "tests/sweep/folder_test.h"

namespace ipusim::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class WhereTest : public FolderTest {
 protected:
  WhereTest() {
    write("run.toml", "machine = \"mine.toml\"\nsize = 3\nfast = true\n[workload]\nkind = \"x\"\n");
    write("mine.toml", "base = \"toy\"\nclock_hz = {value = 2e9, source = \"here\"}\n");
  }
  Sweep sweepOf(const std::string& where, const std::string& axes) {
    return readSweep(ConfigReader::fromFile(
        write("sweep.toml", "run = \"run.toml\"\nwhere = '" + where + "'\n[axes]\n" + axes)));
  }
  /// The points of the axis n = [0, 1, 2, 3]; the number of a point is its n.
  std::vector<std::uint64_t> pointsOf(const std::string& where,
                                      const std::string& axes = "n = [0, 1, 2, 3]\n") {
    std::vector<std::uint64_t> points;
    forEachPoint(sweepOf(where, axes), [&](std::uint64_t point) { points.push_back(point); });
    return points;
  }
};

TEST_F(WhereTest, KnowsAxesAndTheRunConfig) {
  EXPECT_THAT(pointsOf("n < 2"), ElementsAre(0, 1));
  EXPECT_THAT(pointsOf("n == size"), ElementsAre(3));
  EXPECT_THAT(pointsOf("fast and n > 2 and workload.kind == \"x\""), ElementsAre(3));
  EXPECT_THAT(pointsOf("not fast"), IsEmpty());
}

TEST_F(WhereTest, KnowsTheMachineOfThePoint) {
  EXPECT_THAT(pointsOf("machine.tiles == 4 and machine.clock_hz == 2e9 and n == 0"),
              ElementsAre(0));
  EXPECT_THAT(pointsOf("machine.tiles > 4", "machine.tiles = [4, 5]\n"), ElementsAre(1));
  EXPECT_THAT(pointsOf("machine.tiles > 4", "machine = [\"toy\", \"gc200\"]\n"), ElementsAre(1));
  EXPECT_THAT(pointsOf("machine.total_sram_bytes > 3 * 65536", "machine.tiles = [3, 4]\n"),
              ElementsAre(1));
}

TEST_F(WhereTest, KnowsWhatThePresetIncludes) {
  write("fitted.toml", "sync_cycles = {value = 7, source = \"fitted\"}\n");
  write("mine.toml", "base = \"theirs.toml\"\n");
  write("theirs.toml", "base = \"toy\"\ninclude = \"fitted.toml\"\n");
  EXPECT_THAT(pointsOf("machine.sync_cycles == 7 and n == 0"), ElementsAre(0));
  EXPECT_THAT(pointsOf("machine.cycle_counter_cycles > 100", "machine = [\"gc200\", \"toy\"]\n"),
              ElementsAre(0));
}

TEST_F(WhereTest, TilesThatAreNoNumberAreToldInOneLine) {
  const std::string error = configErrorOf(
      [&] { sweepOf("machine.total_sram_bytes <= 9e8", "machine.tiles = [\"many\", 4]\n"); });
  EXPECT_THAT(error,
              HasSubstr("sweep.toml:2: where: wanted a number as machine.tiles, which is part "
                        "of machine.total_sram_bytes, found \"many\""));
  EXPECT_THAT(pointsOf("machine.total_sram_bytes <= 1", "machine.tiles = [4, \"many\"]\n"),
              ElementsAre(1));
}

TEST_F(WhereTest, APointOfWhichItKnowsNothingIsAsked) {
  EXPECT_THAT(pointsOf("machine.tiles > 4", "machine = [\"toy\", \"none\"]\n"), ElementsAre(1));
}

TEST_F(WhereTest, SaysWhatIsWrongWithTheCondition) {
  const auto error_of = [&](const std::string& where) {
    return configErrorOf([&] { sweepOf(where, "n = [1]\n"); });
  };
  EXPECT_THAT(error_of("m < 2"), HasSubstr("sweep.toml:2: where: wanted keys of axes, of the run"));
  EXPECT_THAT(error_of("n <"), HasSubstr("sweep.toml:2: where: wanted a number, a key"));
  EXPECT_THAT(error_of("machine.tails < 2"), HasSubstr("found \"machine.tails\""));
}

TEST_F(WhereTest, AnotherConditionIsAnotherSweep) {
  const auto config_of = [&](const std::string& where) {
    return identify(sweepOf(where, "n = [1]\n"), Engine::ClosedForm, "1").config;
  };
  EXPECT_NE(config_of("n < 2"), config_of("n < 3"));
}

TEST_F(WhereTest, AnIdentityKnowsItsPoints) {
  const Sweep sweep = sweepOf("n < 3", "n = [1, 2]\nm = {from = 0.5, to = 1, count = 2}\n");
  const Sweep again = sweep::sweepOf(identify(sweep, Engine::ClosedForm, "1"));
  ASSERT_EQ(again.numbers(), sweep.numbers());
  for (std::uint64_t point = 0; point < sweep.numbers(); ++point) {
    EXPECT_EQ(describePoint(again, point), describePoint(sweep, point));
  }
}

TEST(Shard, PartsAreDisjointAndNearlyEqual) {
  std::vector<int> parts(4, 0);
  for (std::uint64_t point = 0; point < 4000; ++point) {
    int owners = 0;
    for (std::uint64_t part = 0; part < parts.size(); ++part) {
      if (!isIn({part, parts.size()}, point)) continue;
      ++parts[part];
      ++owners;
    }
    EXPECT_EQ(owners, 1) << point;
  }
  for (const int points : parts) EXPECT_NEAR(points, 1000, 100);
}

}  // namespace
}  // namespace ipusim::sweep
