// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <ostream>

#include "sim/run/advice/advice_search.h"
#include "sim/run/advice/better_size.h"
#include "sim/run/advice/remedies.h"
#include "sim/run/simulate.h"
#include "tests/support/sanitizer.h"

namespace ipusim::run {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::SizeIs;

/// A config that asks for more than the machine has.
struct TooLarge {
  const char* name;
  const char* kind;  ///< of a change with which it fits
  const char* file;
  std::vector<std::string> overrides;
};

void PrintTo(const TooLarge& config, std::ostream* out) {
  *out << config.name;
}

ConfigReader readerOf(const TooLarge& config) {
  return ConfigReader::fromFile(findConfigFile(config.file, {}), parseOverrides(config.overrides));
}

HostCost costOf(const ConfigReader& config) {
  RunWork heard;
  static_cast<void>(prepare(config, [&heard](const RunWork& work) { heard = work; }));
  return hostCost(heard, Engine::ClosedForm);
}

RunResult resultOf(const ConfigReader& config) {
  return simulate(prepare(config), Engine::ClosedForm);
}

/// The advice on a config that does not fit.
Advice adviceOn(const TooLarge& too_large, const HostLimits& limits = {}) {
  const ConfigReader config = readerOf(too_large);
  EXPECT_FALSE(resultOf(config).fits()) << too_large.file;
  return adviceFor(config, limits, costOf(config));
}

const TooLarge kMatmul{"SquareMatmul",
                       "type",
                       "configs/runs/matmul.toml",
                       {"workload.m=6000", "workload.k=6000", "workload.n=6000"}};

class AdviceOn : public testing::TestWithParam<TooLarge> {};

TEST_P(AdviceOn, FitsWhenItIsRunAgain) {
  const Advice advice = adviceOn(GetParam());
  std::vector<std::string> kinds;
  for (const AdvisedChange& change : advice.changes) {
    const RunResult result = resultOf(readerOf(GetParam()).with(parseOverrides(change.settings)));
    EXPECT_TRUE(result.fits()) << change.words;
    EXPECT_DOUBLE_EQ(result.time.seconds, change.seconds);
    kinds.push_back(change.kind);
  }
  EXPECT_THAT(kinds, Contains(GetParam().kind));
}

INSTANTIATE_TEST_SUITE_P(
    ElevenConfigs, AdviceOn,
    testing::Values(
        kMatmul,
        TooLarge{"MatmulOfGc2",
                 "machine",
                 "configs/runs/matmul.toml",
                 {"machine=gc2", "workload.m=3200", "workload.k=3200", "workload.n=3200"}},
        TooLarge{"MatmulOfAToy",
                 "type",
                 "configs/runs/matmul.toml",
                 {"machine=toy", "workload.m=100", "workload.k=100", "workload.n=100"}},
        TooLarge{"MatmulWithoutSerialSplits",
                 "serial_splits",
                 "configs/runs/matmul.toml",
                 {"workload.m=4096", "workload.k=4096", "workload.n=4096",
                  "workload.serial_splits=none"}},
        TooLarge{"VectorTimesMatrix",
                 "type",
                 "configs/runs/matmul.toml",
                 {"workload.m=1", "workload.k=16000", "workload.n=16000"}},
        TooLarge{
            "BatchOfALinearLayer", "batch", "configs/runs/linear.toml", {"workload.batch=65536"}},
        TooLarge{"LinearLayerOfGc2",
                 "batch",
                 "configs/runs/linear.toml",
                 {"machine=gc2", "workload.batch=32768"}},
        TooLarge{"LinearLayerOfAToy",
                 "batch",
                 "configs/runs/linear.toml",
                 {"machine=toy", "workload.in=128", "workload.out=128", "workload.batch=128"}},
        TooLarge{"LowRankOfAToy",
                 "batch",
                 "configs/runs/low_rank.toml",
                 {"machine=toy", "workload.batch=1024"}},
        TooLarge{"SparseMatmul",
                 "parts",
                 "configs/runs/sparse_matmul.toml",
                 {"workload.m=8192", "workload.k=8192", "workload.n=4096"}},
        TooLarge{"Butterfly",
                 "batch",
                 "configs/runs/butterfly.toml",
                 {"machine=toy", "workload.features=64", "workload.batch=1024"}}),
    [](const testing::TestParamInfo<TooLarge>& tested) { return tested.param.name; });

TEST(Advice, NamesTheFullestTileWithItsGaps) {
  const Advice advice = adviceOn(kMatmul);
  ASSERT_FALSE(advice.changes.empty());
  const AdvisedChange& change = advice.changes.front();
  const RunResult result = resultOf(readerOf(kMatmul).with(parseOverrides(change.settings)));
  const auto highest = std::max_element(
      result.tiles.begin(), result.tiles.end(),
      [](const TileResult& a, const TileResult& b) { return a.including_gaps < b.including_gaps; });
  EXPECT_EQ(change.max_tile, highest->including_gaps);
  EXPECT_LE(change.max_tile, change.capacity);
}

TEST(Advice, NamesTheLargestBatchThatFits) {
  const TooLarge layer{
      "", "", "configs/runs/low_rank.toml", {"machine=toy", "workload.batch=1000"}};
  const Advice advice = adviceOn(layer);
  const auto isOfBatch = [](const AdvisedChange& change) { return change.kind == "batch"; };
  ASSERT_EQ(std::count_if(advice.changes.begin(), advice.changes.end(), isOfBatch), 1);
  const AdvisedChange& change =
      *std::find_if(advice.changes.begin(), advice.changes.end(), isOfBatch);
  const std::uint64_t batch = std::stoull(change.settings.front().substr(sizeof("workload.batch")));
  const ConfigReader config = readerOf(layer);
  const auto next = {Override{"workload.batch", std::to_string(batch + 1)}};
  EXPECT_FALSE(resultOf(config.with(next)).fits()) << batch;
  EXPECT_EQ(change.runs, (1000 + batch - 1) / batch);
}

TEST(Advice, TriesNothingThatGoesOverTheLimits) {
  HostLimits limits;
  limits.seconds = 0;
  const Advice advice = adviceOn(kMatmul, limits);
  EXPECT_THAT(advice.changes, IsEmpty());
  EXPECT_EQ(advice.tried, 0U);
  EXPECT_GT(advice.left_out, 0U);
}

TEST(Advice, BuildsNothingWhoseExpectedCostGoesOverTheLimits) {
  const ConfigReader config = readerOf(kMatmul);
  static_cast<void>(prepare(config));
  HostLimits limits;
  limits.memory = Bytes(1'000'000'000);
  const Advice advice = adviceFor(config, limits, {1, Bytes(2'000'000'000'000)});
  EXPECT_EQ(advice.tried, 1U) << "half, whose cost is not known beforehand";
  EXPECT_GT(advice.left_out, 1U);
}

std::vector<std::string> remediesOf(const TooLarge& config) {
  const ConfigReader reader = readerOf(config);
  static_cast<void>(prepare(reader));
  std::vector<std::string> kinds;
  for (const Remedy& remedy : remediesFor(reader)) kinds.push_back(remedy.kind);
  return kinds;
}

TEST(Remedies, AreThoseOfTheKeysThatTheWorkloadHas) {
  const auto of_matmul = remediesOf(
      {"", "", "configs/runs/matmul.toml", {"workload.n=1023", "workload.serial_splits=none"}});
  EXPECT_THAT(of_matmul, IsSupersetOf({"type", "serial_splits", "padding", "machine"}));
  EXPECT_THAT(of_matmul, testing::Not(Contains("batch")));
  EXPECT_THAT(remediesOf({"", "", "configs/runs/butterfly.toml", {}}), Contains("batch"));
}

TEST(Remedies, MakeConfigsThatCanBeRead) {
  const TooLarge config{
      "", "", "configs/runs/linear.toml", {"workload.batch=1000", "workload.serial_splits=none"}};
  const ConfigReader reader = readerOf(config);
  static_cast<void>(prepare(reader));
  for (const Remedy& remedy : remediesFor(reader)) {
    for (const Change& change : remedy.changes) {
      EXPECT_NO_THROW(static_cast<void>(prepare(reader.with(change.overrides)))) << change.words;
    }
  }
}

TEST(Remedies, AskForLessThanThereIs) {
  const TooLarge config{
      "", "", "configs/runs/matmul.toml", {"workload.available_memory_proportion=0.15"}};
  const ConfigReader reader = readerOf(config);
  static_cast<void>(prepare(reader));
  for (const Remedy& remedy : remediesFor(reader)) {
    if (remedy.kind != "available_memory_proportion") continue;
    ASSERT_THAT(remedy.changes, SizeIs(2));
    EXPECT_EQ(remedy.changes[0].overrides[0].value, "0.1");
  }
}

TEST(Remedies, SayHowManyRunsDoTheWorkOfOne) {
  const TooLarge product{"",
                         "",
                         "configs/runs/sparse_matmul.toml",
                         {"workload.m=64", "workload.k=64", "workload.n=100"}};
  const ConfigReader reader = readerOf(product);
  static_cast<void>(prepare(reader));
  for (const Remedy& remedy : remediesFor(reader)) {
    if (remedy.kind != "parts") continue;
    ASSERT_THAT(remedy.changes, SizeIs(6));  // 50, 25, 12, 6, 3 and 1 columns
    EXPECT_EQ(remedy.changes[2].overrides[0].value, "12");
    EXPECT_EQ(remedy.changes[2].runs, 9U);  // the last one of 4 columns
    return;
  }
  FAIL() << "no parts";
}

TEST(Remedies, GoTogetherInPairs) {
  const Remedy half{"type", {{"half", {{"workload.type", "half"}}}}};
  const Remedy batch{"batch", {{"8 rows", {{"workload.batch", "8"}}, 2}}};
  const std::vector<Remedy> both = together(half, {half, batch});
  ASSERT_THAT(both, SizeIs(1));
  EXPECT_EQ(both[0].kind, "type and batch");
  ASSERT_THAT(both[0].changes[0].overrides, SizeIs(2));
  EXPECT_EQ(both[0].changes[0].overrides[1].key, "workload.batch");
  EXPECT_EQ(both[0].changes[0].runs, 2U);
}

/// The better size of a square product of floats.
std::optional<AdvisedChange> betterThan(const std::string& size, const HostLimits& limits = {}) {
  const TooLarge product{"Square",
                         "",
                         "configs/runs/quickstart.toml",
                         {"workload.m=" + size, "workload.k=" + size, "workload.n=" + size}};
  const ConfigReader config = readerOf(product);
  const RunResult result = resultOf(config);
  return betterSize(config, result, limits);
}

TEST(BetterSize, IsFasterWhenItIsRun) {
  const auto change = betterThan("2049");
  ASSERT_TRUE(change);
  TooLarge padded{"Padded", "", "configs/runs/quickstart.toml", change->settings};
  const RunResult result = resultOf(readerOf(padded));
  EXPECT_TRUE(result.fits());
  EXPECT_EQ(result.time.seconds, change->seconds);
  padded.overrides = {"workload.m=2049", "workload.k=2049", "workload.n=2049"};
  EXPECT_LE(change->seconds, kBetterShare * resultOf(readerOf(padded)).time.seconds);
}

TEST(BetterSize, IsNamedOnlyWhereItIsWorthIt) {
  EXPECT_FALSE(betterThan("2048"));  // divides well
  EXPECT_FALSE(betterThan("2047"));  // a padded one takes 0.99 of the time
}

TEST(BetterSize, IsThatOfTheTransposedProductWhereThatIsFaster) {
  const TooLarge product{
      "MatrixVector",
      "",
      "configs/runs/matmul.toml",
      {"workload.m=4096", "workload.k=4096", "workload.n=1", "workload.type=half"}};
  const ConfigReader config = readerOf(product);
  const RunResult result = resultOf(config);
  const auto change = betterSize(config, result, {});
  ASSERT_TRUE(change);
  EXPECT_EQ(change->kind, "transpose");
  EXPECT_THAT(change->settings, testing::ElementsAre("workload.m=1", "workload.n=4096"));
  EXPECT_LE(change->seconds, kBetterShare * result.time.seconds);
}

TEST(Remedies, ASquareProductIsItsOwnTranspose) {
  const TooLarge product{"Square", "", "configs/runs/quickstart.toml", {}};
  const ConfigReader config = readerOf(product);
  resultOf(config);  // reads all keys
  EXPECT_THAT(transposeFor(config).changes, IsEmpty());
}

TEST(BetterSize, IsNotTriedBeyondTheLimits) {
  if (kHasAddressSanitizer) GTEST_SKIP() << "the sanitizer cannot work beside a limit of memory";
  HostLimits limits;
  limits.memory = Bytes(1);
  EXPECT_FALSE(betterThan("2049", limits));
}

}  // namespace
}  // namespace ipusim::run
