// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "base/config/config_reader.h"
#include "tests/support/thrown.h"

namespace ipusim {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Text that no run can start from, and what its message must say.
struct Broken {
  const char* name;
  std::string text;
  std::string place;  ///< how the message starts
  std::string says;   ///< what else is in it
};

std::ostream& operator<<(std::ostream& out, const Broken& broken) {
  return out << broken.name;
}

/// Reads a config as a workload would.
void readRun(const std::string& text) {
  const ConfigReader config = ConfigReader::fromText(text, "f.toml");
  static_cast<void>(config.text("machine"));
  const ConfigReader workload = config.table("workload");
  static_cast<void>(workload.choice("kind", {"matmul", "transpose"}));
  static_cast<void>(workload.whole("m", 1, 4096));
  static_cast<void>(workload.real("share", 0, 1, 0.5));
  static_cast<void>(workload.flag("host", false));
  if (workload.has("sizes")) static_cast<void>(workload.wholes("sizes", 1, 9));
  config.expectAllRead();
}

/// A valid config with one more line at its end.
std::string withLine(const std::string& line) {
  return "machine = \"gc200\"\n[workload]\nkind = \"matmul\"\nm = 8\n" + line + "\n";
}

/// A valid config whose m is `value`.
std::string withM(const std::string& value) {
  return "machine = \"gc200\"\n[workload]\nkind = \"matmul\"\nm = " + value + "\n";
}

const std::string kRange = "wanted a whole number in [1, 4096], found ";

std::vector<Broken> wrongValues() {
  return {
      {"Negative", withM("-1"), "f.toml:4: workload.m: ", kRange + "-1"},
      {"Zero", withM("0"), "f.toml:4: workload.m: ", kRange + "0"},
      {"TooLarge", withM("4097"), "f.toml:4: workload.m: ", kRange + "4097"},
      {"PartOfANumber", withM("8.5"), "f.toml:4: workload.m: ", kRange + "8.5"},
      {"HugeReal", withM("1e30"), "f.toml:4: workload.m: ", kRange + "1e+30"},
      {"NotANumber", withM("nan"), "f.toml:4: workload.m: ", kRange + "nan"},
      {"TextForANumber", withM("\"8\""), "f.toml:4: workload.m: ", kRange + "\"8\""},
      {"FlagForANumber", withM("true"), "f.toml:4: workload.m: ", kRange + "true"},
      {"ArrayForANumber", withM("[8]"), "f.toml:4: workload.m: ", kRange + "an array"},
      {"TableForANumber", withM("{a = 1}"), "f.toml:4: workload.m: ", kRange + "a table"},
      {"DateForANumber", withM("2026-11-21"), "f.toml:4: workload.m: ", kRange + "a date or time"},
      {"LongTextIsCut", withM("\"" + std::string(999, 'x') + "\""),
       "f.toml:4: workload.m: ", kRange + "\"" + std::string(60, 'x') + "…\""},
      {"NewlineInAText", withM("\"a\\nb\\u001b\""),
       "f.toml:4: workload.m: ", kRange + "\"a\\nb\\x1b\""},
      {"InfiniteShare", withLine("share = inf"),
       "f.toml:5: workload.share: ", "wanted a number in [0, 1], found inf"},
      {"NumberForAFlag", withLine("host = 1"),
       "f.toml:5: workload.host: ", "wanted true or false, found 1"},
      {"EmptyArray", withLine("sizes = []"), "f.toml:5: workload.sizes: ", "found an empty one"},
      {"MixedArray", withLine("sizes = [1, \"2\"]"),
       "f.toml:5: workload.sizes: ", "found \"2\" in it"},
      {"NumberForAnArray", withLine("sizes = 3"),
       "f.toml:5: workload.sizes: ", "wanted an array of whole numbers in [1, 9], found 3"},
  };
}

std::vector<Broken> wrongKeys() {
  return {
      {"Empty", "", "f.toml:1: machine: ", "wanted a text, found nothing"},
      {"OnlyAComment", "# nothing", "f.toml:1: machine: ", "found nothing"},
      {"NoTable", "machine = \"gc200\"", "f.toml:1: workload: ", "wanted a table, found nothing"},
      {"TextForATable", "machine = \"gc200\"\nworkload = \"matmul\"",
       "f.toml:2: workload: ", "wanted a table, found \"matmul\""},
      {"ArrayOfTables", "machine = \"gc200\"\n[[workload]]",
       "f.toml:2: workload: ", "wanted a table, found an array"},
      {"NumberForAText", "machine = 200", "f.toml:1: machine: ", "wanted a text, found 200"},
      {"MisspeltKey", "machina = \"gc200\"", "f.toml:1: machine: ", "nothing, but \"machina\""},
      {"UnknownKey", withLine("shares = 0.1"),
       "f.toml:5: workload.shares: ", "wanted share, found the unknown key \"shares\""},
      {"UnknownTable", withLine("[extra]\nx = 1"), "f.toml:5: extra: ", "the unknown key"},
      {"WrongChoice", "machine = \"a\"\n[workload]\nkind = \"matmull\"",
       "f.toml:3: workload.kind: ", "(did you mean matmul?), found \"matmull\""},
      {"RepeatedKey", withLine("m = 9"), "f.toml:5: ", "wanted each key once, found \"m = 9\""},
      {"RepeatedTable", withLine("[workload]"), "f.toml:5: ", "wanted each key once"},
      {"LongUnknownKey", withLine(std::string(500, 'k') + " = 1"), "f.toml:5: workload.kkk",
       "the unknown key"},
      {"NewlineInAKey", withLine("\"a\\nb\" = 1"),
       "f.toml:5: workload.a\\nb: ", "the unknown key \"a\\nb\""},
  };
}

std::vector<Broken> noToml() {
  return {
      {"NoValue", "machine = ", "f.toml:1: ", "wanted TOML, found \"machine =\""},
      {"NoEquals", "machine \"gc200\"", "f.toml:1: ", "wanted TOML, found \"machine"},
      {"OpenString", "machine = \"gc200", "f.toml:1: ", "wanted TOML, found \"machine"},
      {"OpenTable", "\n[workload", "f.toml:2: ", "wanted TOML, found \"[workload\""},
      {"LargeWhole", withM("99999999999999999999"), "f.toml:4: ", "found \"m = 9999"},
      {"LeadingZero", withM("08"), "f.toml:4: ", "found \"m = 08\""},
      {"Nul", "machine = \"a\0b\""s, "f.toml:1: ", "\\x00"},
      {"NotUtf8", "machine = \"\xff\xfe\"", "f.toml:", "wanted TOML"},
      {"Binary", "\x7f"s + "ELF\x02\x01\x01\0\0"s, "f.toml:1: ", "wanted TOML"},
      {"NotAscii", "größe = 1", "f.toml:1: ", "ASCII outside texts and comments, found \"größe"},
      {"Yaml", "machine: gc200\ntiles: 4", "f.toml:1: ", "found \"machine: gc200\""},
      {"Json", "{\"machine\": \"gc200\"}", "f.toml:1: ", "wanted TOML"},
      {"DeepArrays", "a = " + std::string(100'000, '['), "f.toml:1: ", "at most 32 nested"},
      {"DeepInlineTables", "\na = " + std::string(500, '{'), "f.toml:2: ", "at most 32 nested"},
      {"DeepKey", "a" + std::string(100'000, '.') + "a = 1", "f.toml:1: ", "at most 32 nested"},
      {"DeepQuotedKey", "\"=\".'='." + std::string(40, '.'), "f.toml:1: ", "at most 32 nested"},
      {"LongLine", "machine = " + std::string(100'000, '='), "f.toml:1: ", "wanted TOML"},
      {"TooLong", std::string((1U << 20U) + 1, ' '), "f.toml:1: ", "at most 1 MiB"},
  };
}

class BrokenConfig : public testing::TestWithParam<Broken> {};

TEST_P(BrokenConfig, IsToldInOneLine) {
  const Broken& broken = GetParam();
  const std::string message = configErrorOf([&] { readRun(broken.text); });
  EXPECT_THAT(message, StartsWith(broken.place));
  EXPECT_THAT(message, HasSubstr(broken.says));
  EXPECT_THAT(message, Not(HasSubstr("\n")));
  constexpr std::size_t kReadable = 700;
  EXPECT_LT(message.size(), kReadable);
}

std::string nameOfCase(const testing::TestParamInfo<Broken>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(WrongValue, BrokenConfig, testing::ValuesIn(wrongValues()), nameOfCase);
INSTANTIATE_TEST_SUITE_P(WrongKey, BrokenConfig, testing::ValuesIn(wrongKeys()), nameOfCase);
INSTANTIATE_TEST_SUITE_P(NoToml, BrokenConfig, testing::ValuesIn(noToml()), nameOfCase);

TEST(SoundConfig, IsRead) {
  EXPECT_NO_THROW(readRun(withLine("share = 1\nsizes = [9]")));
}

}  // namespace
}  // namespace ipusim
