// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "models/ipu/machine/machine_fields.h"
#include "models/ipu/machine/machine_reader.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

/// The machine of a config text with overrides.
Machine machineOf(const std::string& text, const std::vector<std::string>& sets = {}) {
  std::vector<Override> overrides;
  overrides.reserve(sets.size());
  for (const std::string& set : sets) overrides.push_back(Override::parse(set));
  const ConfigReader config = ConfigReader::fromText(text, "f.toml", overrides);
  Machine machine = readMachine(config);
  config.expectAllRead();
  return machine;
}

TEST(ReadMachine, TakesAPresetsName) {
  const Machine machine = machineOf("machine = \"gc200\"");
  EXPECT_EQ(machine.name, "gc200");
  EXPECT_EQ(machine.tiles, 1472U);
  EXPECT_EQ(machine.exchange, ExchangeMode::Scheduled);
}

TEST(ReadMachine, TakesATableOnTopOfABase) {
  const Machine machine =
      machineOf("machine = {base = \"gc200\", tiles = 100, exchange = \"bound\", name = \"few\"}");
  EXPECT_EQ(machine.name, "few");
  EXPECT_EQ(machine.tiles, 100U);
  EXPECT_EQ(machine.exchange, ExchangeMode::Bound);
  EXPECT_EQ(machine.sram_per_tile, gc200().sram_per_tile);
}

TEST(ReadMachine, TakesOverridesOfSingleKeys) {
  const Machine machine =
      machineOf("machine = \"gc200\"",
                {"machine.tiles=4", "machine.clock_hz=1e9", "machine.exchange_bytes_per_cycle=8",
                 "machine.sram_per_tile_bytes=300000", "machine.exchange=bound"});
  EXPECT_EQ(machine.tiles, 4U);
  EXPECT_DOUBLE_EQ(machine.clock_hz, 1e9);
  EXPECT_EQ(machine.fabric.exchange_rate.value(), 8U);
  EXPECT_EQ(machine.sram_per_tile, Bytes(300'000));
  EXPECT_EQ(machine.exchange, ExchangeMode::Bound);
  EXPECT_EQ(machine.name, "gc200");
}

/// Two presets, one on top of the other, in a folder of their own.
class MachinePresetFiles : public testing::Test {
 protected:
  void SetUp() override {
    write("big.toml", "base = \"gc200\"\ntiles = {value = 3000, source = \"a wish\"}");
    write("bigger.toml", "base = \"./big.toml\"\nclock_hz = {value = 2e9, source = \"a wish\"}");
  }
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  [[nodiscard]] std::string errorOf(const std::string& name) const {
    return configErrorOf([&] { readPreset((folder_ / name).string()); });
  }
  TemporaryFolder folder_;
};

TEST_F(MachinePresetFiles, MayStandOnEachOther) {
  const Machine machine = readPreset((folder_ / "bigger.toml").string());
  EXPECT_EQ(machine.name, "bigger");
  EXPECT_EQ(machine.tiles, 3000U);
  EXPECT_DOUBLE_EQ(machine.clock_hz, 2e9);
}

TEST_F(MachinePresetFiles, AreFoundBesideTheRunThatNamesThem) {
  write("run.toml", "machine = \"big.toml\"");
  EXPECT_EQ(readMachine(ConfigReader::fromFile(folder_ / "run.toml")).tiles, 3000U);
}

TEST_F(MachinePresetFiles, MustNotStandOnThemselves) {
  write("self.toml", "base = \"self.toml\"");
  EXPECT_THAT(errorOf("self.toml"),
              HasSubstr("self.toml:1: base: wanted a preset that does not lead back to this one"));
  write("a.toml", "base = \"b.toml\"");
  write("b.toml", "base = \"../" + folder_.path().filename().string() + "/a.toml\"");
  EXPECT_THAT(errorOf("a.toml"), HasSubstr("b.toml:1: base: wanted a preset that does not lead"));
}

TEST_F(MachinePresetFiles, NeedASourceAlsoOnTopOfABase) {
  write("bare.toml", "base = \"gc200\"\ntiles = 3");
  EXPECT_THAT(errorOf("bare.toml"),
              HasSubstr("bare.toml:2: tiles: wanted {value = NUMBER, source"));
}

TEST(ReadPreset, OfAnUnknownNameListsTheKnownOnes) {
  const std::string message = configErrorOf([] { readPreset("gc201"); });
  EXPECT_THAT(message, StartsWith("machine: wanted one of "));
  for (const std::string& name : presetNames()) EXPECT_THAT(message, HasSubstr(name));
  EXPECT_THAT(message, HasSubstr(", or a path (did you mean gc200?), found \"gc201\""));
  EXPECT_THAT(configErrorOf([] { readPreset("no/such.toml"); }), HasSubstr("no/such.toml"));
}

/// A complete preset where every number is the largest that its range allows.
TEST(ReadPreset, ReachesEveryFieldOfTheStruct) {
  std::string text = "exchange = \"bound\"\nclock_hz = {value = 1e12, source = \"test\"}\n";
  for (const MachineField& field : machineFields()) {
    const bool code = std::string(field.key) == "code_region_bytes";
    text += field.key;
    text +=
        " = {value = " + std::to_string(code ? field.low : field.high) + ", source = \"test\"}\n";
  }
  const Machine machine = readPreset(ConfigReader::fromText(text, "full.toml"));
  EXPECT_EQ(machine.tiles, 65536U);
  EXPECT_EQ(machine.sram_per_tile, Bytes(1U << 30U));
  EXPECT_EQ(machine.fabric.sync_per_column, Cycles(1'000'000));
  EXPECT_EQ(machine.overheads.vertex_launch, Cycles(1'000'000));
  EXPECT_EQ(machine.code.exchange_per_receive, Bytes(1U << 24U));
  EXPECT_EQ(machine.exchange, ExchangeMode::Bound);
  EXPECT_EQ(machine.name, "");
}

}  // namespace
}  // namespace ipusim::models
