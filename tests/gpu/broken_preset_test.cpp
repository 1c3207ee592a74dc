// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "models/gpu/machine.h"
#include "tests/support/thrown.h"

namespace ipusim::gpu {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A preset that gives no GPU, and what its message must say.
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

/// An A30 with `number` as the number of multiprocessors.
std::string onA30(const std::string& number) {
  return "base = \"a30\"\nsms = " + number;
}

std::vector<Broken> brokenPresets() {
  const std::string at = "g.toml:2: sms";
  return {
      {"Empty", "", "g.toml:1: sms: ", "wanted {value = NUMBER"},
      {"UnknownBase", "base = \"a3\"", "g.toml:1: base: ", "(did you mean a30?)"},
      {"PlainNumber", onA30("56"), at + ": ", "found 56"},
      {"NoKind", onA30("{value = 56, source = \"s\"}"), at + ".kind: ", "spec, transfer, fitted"},
      {"WrongKind", onA30("{value = 56, kind = \"guess\", source = \"s\"}"),
       at + ".kind: ", "found \"guess\""},
      {"NoSource", onA30("{value = 56, kind = \"spec\"}"), at + ".source: ", "found nothing"},
      {"BlankSource", onA30("{value = 56, kind = \"spec\", source = \" \"}"),
       at + ".source: ", "where the number is from"},
      {"Zero", onA30("{value = 0, kind = \"spec\", source = \"s\"}"), at + ".value: ", "found 0"},
      {"Half", onA30("{value = 0.5, kind = \"spec\", source = \"s\"}"), at + ".value: ", "0.5"},
      {"UnknownKey", "base = \"a30\"\nsmx = {value = 1, kind = \"spec\", source = \"s\"}",
       "g.toml:2: smx: ", "the unknown key \"smx\""},
      {"ShareOverOne",
       "base = \"a30\"\ndram_efficiency = {value = 1.1, kind = \"spec\", source = \"s\"}",
       "g.toml:2: dram_efficiency.value: ", "[0.01, 1], found 1.1"},
  };
}

class BrokenGpuPreset : public testing::TestWithParam<Broken> {};

TEST_P(BrokenGpuPreset, IsToldInOneLine) {
  const Broken& broken = GetParam();
  const std::string message =
      configErrorOf([&] { readPreset(ConfigReader::fromText(broken.text, "g.toml")); });
  EXPECT_THAT(message, StartsWith(broken.place));
  EXPECT_THAT(message, HasSubstr(broken.says));
  EXPECT_THAT(message, Not(HasSubstr("\n")));
}

INSTANTIATE_TEST_SUITE_P(Gpu, BrokenGpuPreset, testing::ValuesIn(brokenPresets()), nameOfCase);

TEST(GpuByName, IsAskedForWhereThereIsNone) {
  EXPECT_THAT(
      configErrorOf([] { readPreset("a3"); }),
      StartsWith("gpu: wanted one of a100, a30, h100, h200, or a path (did you mean a30?)"));
}

TEST(GpuBase, GivesWhatAPresetDoesNotSay) {
  const std::string text = onA30("{value = 10, kind = \"assumed\", source = \"half a dozen\"}");
  const Machine machine = readPreset(ConfigReader::fromText(text, "g.toml"));
  EXPECT_EQ(machine.sms, 10U);
  EXPECT_EQ(machine.constants.front().kind, Provenance::Assumed);
  EXPECT_DOUBLE_EQ(machine.clock_hz, readPreset("a30").clock_hz);
}

}  // namespace
}  // namespace ipusim::gpu
