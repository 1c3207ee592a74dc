// SPDX-License-Identifier: Apache-2.0
#include "sim/run/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sim/run/remedies.h"
#include "sim/run/simulate.h"

namespace ipusim::run {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::SizeIs;

/// A config that asks for more than the machine has.
struct TooLarge {
  const char* file;
  std::vector<std::string> overrides;
};

ReadConfig readerOf(const TooLarge& config) {
  return [config](const std::vector<Override>& more) {
    std::vector<Override> all = parseOverrides(config.overrides);
    all.insert(all.end(), more.begin(), more.end());
    return ConfigReader::fromFile(findConfigFile(config.file, {}), all);
  };
}

RunResult resultOf(const ConfigReader& config) {
  return simulate(prepare(config), Engine::ClosedForm);
}

/// The advice on a config that does not fit.
Advice adviceOn(const TooLarge& too_large, const HostLimits& limits = {}) {
  const ReadConfig read = readerOf(too_large);
  const ConfigReader config = read({});
  EXPECT_FALSE(resultOf(config).fits()) << too_large.file;
  return adviceFor(config, read, limits);
}

const TooLarge kMatmul{"configs/runs/matmul.toml",
                       {"workload.m=6000", "workload.k=6000", "workload.n=6000"}};

const std::vector<TooLarge>& tenConfigs() {
  static const std::vector<TooLarge> kConfigs = {
      kMatmul,
      {"configs/runs/matmul.toml", {"workload.m=8192", "workload.k=8192", "workload.n=8192"}},
      {"configs/runs/matmul.toml",
       {"machine=gc2", "workload.m=4096", "workload.k=4096", "workload.n=4096"}},
      {"configs/runs/matmul.toml",
       {"machine=toy", "workload.m=100", "workload.k=100", "workload.n=100"}},
      {"configs/runs/linear.toml", {"workload.batch=65536"}},
      {"configs/runs/linear.toml", {"machine=gc2", "workload.batch=32768"}},
      {"configs/runs/linear.toml",
       {"machine=toy", "workload.in=128", "workload.out=128", "workload.batch=128"}},
      {"configs/runs/low_rank.toml", {"machine=gc2", "workload.batch=131072"}},
      {"configs/runs/butterfly.toml", {"workload.features=4096", "workload.batch=16384"}},
      {"configs/runs/matmul.toml", {"workload.m=1", "workload.k=16000", "workload.n=16000"}},
  };
  return kConfigs;
}

TEST(Advice, OnTenConfigsFitsWhenItIsRunAgain) {
  std::set<std::string> kinds;
  for (const TooLarge& too_large : tenConfigs()) {
    const Advice advice = adviceOn(too_large);
    EXPECT_FALSE(advice.changes.empty()) << too_large.file;
    for (const AdvisedChange& change : advice.changes) {
      const RunResult result = resultOf(readerOf(too_large)(change.overrides));
      EXPECT_TRUE(result.fits()) << too_large.file << ": " << change.words;
      EXPECT_DOUBLE_EQ(result.time.seconds, change.seconds);
      kinds.insert(change.kind);
    }
  }
  EXPECT_THAT(kinds, SizeIs(testing::Ge(3U)));
}

TEST(Advice, NamesTheFullestTileWithItsGaps) {
  const Advice advice = adviceOn(kMatmul);
  ASSERT_FALSE(advice.changes.empty());
  const AdvisedChange& change = advice.changes.front();
  const RunResult result = resultOf(readerOf(kMatmul)(change.overrides));
  const auto highest = std::max_element(
      result.tiles.begin(), result.tiles.end(),
      [](const TileResult& a, const TileResult& b) { return a.including_gaps < b.including_gaps; });
  EXPECT_EQ(change.max_tile, highest->including_gaps);
  EXPECT_LE(change.max_tile, change.capacity);
}

TEST(Advice, TriesNothingThatGoesOverTheLimits) {
  HostLimits limits;
  limits.seconds = 0;
  const Advice advice = adviceOn(kMatmul, limits);
  EXPECT_THAT(advice.changes, IsEmpty());
  EXPECT_EQ(advice.tried, 0U);
  EXPECT_GT(advice.left_out, 0U);
}

std::vector<std::string> remediesOf(const TooLarge& config) {
  const ConfigReader reader = readerOf(config)({});
  static_cast<void>(prepare(reader));
  std::vector<std::string> kinds;
  for (const Remedy& remedy : remediesFor(reader)) kinds.push_back(remedy.kind);
  return kinds;
}

TEST(Remedies, AreThoseOfTheKeysThatTheWorkloadHas) {
  const auto of_matmul = remediesOf({"configs/runs/matmul.toml", {"workload.n=1023"}});
  EXPECT_THAT(of_matmul, IsSupersetOf({"type", "serial_splits", "padding", "machine"}));
  EXPECT_THAT(of_matmul, testing::Not(Contains("batch")));
  EXPECT_THAT(remediesOf({"configs/runs/butterfly.toml", {}}), Contains("batch"));
}

TEST(Remedies, GoTogetherInPairs) {
  const Remedy half{"type", {{"half", {{"workload.type", "half"}}}}};
  const Remedy batch{"batch", {{"8 rows", {{"workload.batch", "8"}}}}};
  const std::vector<Remedy> both = together(half, {half, batch});
  ASSERT_THAT(both, SizeIs(1));
  EXPECT_EQ(both[0].kind, "type and batch");
  ASSERT_THAT(both[0].changes[0].overrides, SizeIs(2));
  EXPECT_EQ(both[0].changes[0].overrides[1].key, "workload.batch");
}

}  // namespace
}  // namespace ipusim::run
