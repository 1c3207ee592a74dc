// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "ipusim/machine.h"
#include "models/ipu/machine/machine_fields.h"
#include "models/ipu/machine/machine_reader.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

using namespace ipusim::literals;
using testing::IsSupersetOf;

constexpr double kTera = 1e12;

ConfigReader openPreset(const std::string& name) {
  return ConfigReader::fromFile(findConfigFile("configs/machines/" + name + ".toml", {}));
}

TEST(Presets, AreListedByName) {
  EXPECT_THAT(presetNames(), IsSupersetOf({"bow", "gc2", "gc200", "gc200-624k", "toy"}));
  const std::vector<std::string> names = presetNames();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
}

TEST(Presets, AreReadAndNamedAfterTheirFile) {
  for (const std::string& name : presetNames()) EXPECT_EQ(readPreset(name).name, name);
}

TEST(Presets, GiveASourceForEveryNumber) {
  for (const std::string& name : presetNames()) {
    const ConfigReader preset = openPreset(name);
    const std::set<std::string> texts = {"exchange", "base", "name", "include", "silicon"};
    for (const std::string& key : preset.keys()) {
      if (texts.count(key) != 0) continue;
      ASSERT_TRUE(preset.isTable(key)) << name << " " << key;
      EXPECT_FALSE(preset.table(key).text("source").empty()) << name << " " << key;
    }
  }
}

TEST(Gc200, Has900Megabytes) {
  EXPECT_EQ(gc200().tiles, 1472U);
  EXPECT_EQ(gc200().workers_per_tile, 6U);
  // 900e6 / 1472 = 611,413.04...: less than a byte a tile is lost.
  EXPECT_LE(gc200().totalSram(), Bytes(900'000'000));
  EXPECT_GT(gc200().totalSram() + Bytes(1472), Bytes(900'000'000));
  EXPECT_EQ(gc200().code_region, 13 * 16_KiB);
}

TEST(Gc200Sdk, Has624KibibytesATile) {
  EXPECT_EQ(gc200Sdk().sram_per_tile, 624_KiB);
  EXPECT_EQ(gc200Sdk().totalSram(), Bytes(940'572'672));
  EXPECT_EQ(gc200Sdk().tiles, gc200().tiles);
}

double peakPerSecond(const Machine& machine, ElementType inputs, ElementType partials) {
  return machine.peakFlopsPerCycle(inputs, partials) * machine.clock_hz;
}

TEST(Gc200, ReachesTheFloatPeakOfItsDataSheet) {
  // 16 units x 8 weights / 8 cycles = 16 multiply-adds: 2 x 16 x 1472 x 1.33 GHz = 62.6 TFLOP/s.
  EXPECT_NEAR(peakPerSecond(gc200(), ElementType::Float, ElementType::Float), 62.65 * kTera,
              0.01 * kTera);
  EXPECT_NEAR(peakPerSecond(gc200(), ElementType::Half, ElementType::Half), 250.6 * kTera,
              0.1 * kTera);
  EXPECT_NEAR(peakPerSecond(gc200(), ElementType::Half, ElementType::Float), 125.3 * kTera,
              0.1 * kTera);
}

TEST(PeakFlops, AreOfTheTypesThatTheEnginesTake) {
  const auto peak = [](ElementType inputs, ElementType partials) {
    static_cast<void>(gc200().peakFlopsPerCycle(inputs, partials));
  };
  EXPECT_THROW(peak(ElementType::Int32, ElementType::Float), InternalError);
  EXPECT_THROW(peak(ElementType::Float, ElementType::Half), InternalError);
}

TEST(Bow, IsAFasterGc200) {
  const Machine bow = readPreset("bow");
  EXPECT_DOUBLE_EQ(bow.clock_hz, 1.85e9);
  EXPECT_EQ(bow.sram_per_tile, gc200Sdk().sram_per_tile);
  EXPECT_NEAR(peakPerSecond(bow, ElementType::Half, ElementType::Half), 348.6 * kTera, 0.1 * kTera);
}

TEST(Gc2, ReachesThePeaksThatWerePublished) {
  const Machine gc2 = readPreset("gc2");
  EXPECT_EQ(gc2.totalSram(), 304 * 1024_KiB);
  EXPECT_NEAR(peakPerSecond(gc2, ElementType::Float, ElementType::Float), 31.1 * kTera,
              0.1 * kTera);
  EXPECT_NEAR(peakPerSecond(gc2, ElementType::Half, ElementType::Float), 124.5 * kTera,
              0.1 * kTera);
}

TEST(MachineFields, HaveDistinctKeysAndRangesTheTypesCanHold) {
  std::set<std::string> keys;
  for (const MachineField& field : machineFields()) {
    EXPECT_TRUE(keys.insert(field.key).second) << field.key;
    EXPECT_LE(field.low, field.high) << field.key;
    const bool is_wide = std::string(field.key).find("_bytes_per_second") != std::string::npos;
    EXPECT_LE(field.high, is_wide ? std::uint64_t{1} << 53U : std::uint64_t{UINT32_MAX})
        << field.key;
  }
}

TEST(Placement, RunsDownAColumnARowAtATime) {
  EXPECT_EQ(gc200().columnOf(0), 0U);
  EXPECT_EQ(gc200().columnOf(91), 0U);
  EXPECT_EQ(gc200().columnOf(92), 1U);
  EXPECT_EQ(gc200().columnOf(1471), 15U);
  EXPECT_EQ(gc200().rowOf(3), 0U);
  EXPECT_EQ(gc200().rowOf(4), 1U);
  EXPECT_EQ(gc200().rowOf(1471), 22U);
}

TEST(VectorWidth, IsTwoFloatsOrFourHalves) {
  EXPECT_EQ(gc200().vectorWidth(ElementType::Float), 2U);
  EXPECT_EQ(gc200().vectorWidth(ElementType::Half), 4U);
}

}  // namespace
}  // namespace ipusim::models
