// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "models/ipu/machine/machine_reader.h"
#include "tests/support/thrown.h"

namespace ipusim::models {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A text that gives no machine, and what its message must say.
struct Broken {
  const char* name;
  std::string text;
  std::string place;  ///< how the message starts
  std::string says;   ///< what else is in it
};

std::ostream& operator<<(std::ostream& out, const Broken& broken) {
  return out << broken.name;
}

std::string nameOfCase(const testing::TestParamInfo<Broken>& info) {
  return info.param.name;
}

void expectTold(const Broken& broken, const std::string& message) {
  EXPECT_THAT(message, StartsWith(broken.place));
  EXPECT_THAT(message, HasSubstr(broken.says));
  EXPECT_THAT(message, Not(HasSubstr("\n")));
}

/// A `machine` table on top of gc200.
std::string on200(const std::string& keys) {
  return "machine = {base = \"gc200\", " + keys + "}";
}

std::vector<Broken> brokenRuns() {
  const std::string at = "f.toml:1: machine";
  return {
      {"NoMachine", "", at + ": ", "wanted one of "},
      {"UnknownPreset", "machine = \"gc300\"", at + ": ", "(did you mean gc200?), found \"gc300\""},
      {"NumberForAName", "machine = 200", at + ": ", "wanted a text, found 200"},
      {"EmptyName", "machine = \"\"", at + ": ", "found \"\""},
      {"NoSuchPath", "machine = \"no/such.toml\"", at + ": ", "found \"no/such.toml\" nowhere"},
      {"Folder", "machine = \"/\"", at + ": ", "found a directory"},
      {"NoBase", "machine = {tiles = 4}", at + ".base: ", "wanted one of "},
      {"UnknownBase", "machine = {base = \"toi\"}", at + ".base: ", "(did you mean toy?)"},
      {"NegativeTiles", on200("tiles = -4"), at + ".tiles: ", "[1, 65536], found -4"},
      {"NoTiles", on200("tiles = 0"), at + ".tiles: ", "[1, 65536], found 0"},
      {"TooManyTiles", on200("tiles = 65537"), at + ".tiles: ", "found 65537"},
      {"HugeTiles", on200("tiles = 1e30"), at + ".tiles: ", "found 1e+30"},
      {"TextForTiles", on200("tiles = \"all\""), at + ".tiles: ", "found \"all\""},
      {"SourceInARun", on200("tiles = {value = 4, source = \"me\"}"),
       at + ".tiles: ", "found a table"},
      {"TooManyWorkers", on200("workers_per_tile = 65"), at + ".workers_per_tile: ", "[1, 64]"},
      {"ClockStopped", on200("clock_hz = 0"), at + ".clock_hz: ", "found 0"},
      {"ClockBackwards", on200("clock_hz = -1.33e9"), at + ".clock_hz: ", "found -1330000000.0"},
      {"ClockInfinite", on200("clock_hz = inf"),
       at + ".clock_hz: ", "[1, 1000000000000], found inf"},
      {"MisspeltKey", on200("tils = 4"), at + ".tils: ", "wanted tiles, found the unknown key"},
      {"KeyWithoutUnit", on200("sram_per_tile = 4096"),
       at + ".sram_per_tile: ", "wanted sram_per_tile_bytes, found the unknown key"},
      {"RepeatedKey", on200("tiles = 4, tiles = 5"), "f.toml:1: wanted each key once", "tiles"},
      {"WrongMode", on200("exchange = \"magic\""),
       at + ".exchange: ", "wanted one of scheduled, bound"},
      {"CodeOverMemory", on200("code_region_bytes = 700000"),
       at + ".code_region_bytes: ", "wanted at most sram_per_tile_bytes, 611413, found 700000"},
      {"MemoryUnderCode", on200("sram_per_tile_bytes = 4096"), at + ".sram_per_tile_bytes: ",
       "wanted at least code_region_bytes, 212992, or that one lowered beside it, found 4096"},
      {"OddDataPath", on200("data_path_bytes = 12"),
       at + ".data_path_bytes: ", "wanted a power of two, found 12"},
      {"OddStore", on200("atomic_store_bytes = 3"), at + ".atomic_store_bytes: ", "a power of two"},
      {"EmptyOwnName", on200("name = \"\""), at + ".name: ", "wanted a text of 1 to 64 bytes"},
      {"LongOwnName", on200("name = \"" + std::string(65, 'n') + "\""),
       at + ".name: ", "wanted a text of 1 to 64 bytes"},
  };
}

class BrokenRun : public testing::TestWithParam<Broken> {};

TEST_P(BrokenRun, IsToldInOneLine) {
  const Broken& broken = GetParam();
  expectTold(broken, configErrorOf([&] {
               const ConfigReader config = ConfigReader::fromText(broken.text, "f.toml");
               readMachine(config);
             }));
}

INSTANTIATE_TEST_SUITE_P(Machine, BrokenRun, testing::ValuesIn(brokenRuns()), nameOfCase);

std::vector<Broken> brokenPresets() {
  const std::string base = "base = \"gc200\"\n";
  return {
      {"Empty", "",
       "p.toml:1: tiles: ", "wanted {value = NUMBER, source = \"TEXT\"}, found nothing"},
      {"MisspeltKey", "tils = {value = 4, source = \"s\"}",
       "p.toml:1: tiles: ", "found nothing, but \"tils\""},
      {"BareNumber", base + "tiles = 4", "p.toml:2: tiles: ", "source = \"TEXT\"}, found 4"},
      {"NoSource", base + "tiles = {value = 4}", "p.toml:2: tiles.source: ", "found nothing"},
      {"EmptySource", base + "tiles = {value = 4, source = \" \"}",
       "p.toml:2: tiles.source: ", "wanted a text that says where the number is from, found \" \""},
      {"NumberForASource", base + "tiles = {value = 4, source = 5}",
       "p.toml:2: tiles.source: ", "wanted a text, found 5"},
      {"NoValue", base + "tiles = {source = \"s\"}", "p.toml:2: tiles.value: ", "found nothing"},
      {"MisspeltValue", base + "tiles = {valeu = 4, source = \"s\"}",
       "p.toml:2: tiles.value: ", "found nothing, but \"valeu\""},
      {"MisspeltSource", base + "tiles = {value = 4, sauce = \"s\"}",
       "p.toml:2: tiles.source: ", "found nothing, but \"sauce\""},
      {"UnknownKeyInANumber", base + "tiles = {value = 4, source = \"s\", unit = \"tile\"}",
       "p.toml:2: tiles.unit: ", "wanted one of source, standard_error, value"},
      {"OutOfRange", base + "tiles = {value = -1, source = \"s\"}",
       "p.toml:2: tiles.value: ", "found -1"},
      {"UnknownKey", base + "link_hz = {value = 4, source = \"s\"}",
       "p.toml:2: link_hz: ", "the unknown key \"link_hz\""},
      {"CodeOverMemory", base + "code_region_bytes = {value = 700000, source = \"s\"}",
       "p.toml:2: code_region_bytes.value: ", "wanted at most sram_per_tile_bytes, 611413"},
  };
}

class BrokenPreset : public testing::TestWithParam<Broken> {};

TEST_P(BrokenPreset, IsToldInOneLine) {
  const Broken& broken = GetParam();
  expectTold(broken,
             configErrorOf([&] { readPreset(ConfigReader::fromText(broken.text, "p.toml")); }));
}

INSTANTIATE_TEST_SUITE_P(Machine, BrokenPreset, testing::ValuesIn(brokenPresets()), nameOfCase);

}  // namespace
}  // namespace ipusim::models
