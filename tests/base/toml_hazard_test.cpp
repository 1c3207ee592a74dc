// SPDX-License-Identifier: Apache-2.0
#include "base/config/toml_hazard.h"

#include <gtest/gtest.h>

#include <string>

namespace ipusim {
namespace {

/// The line of the first hazard, which must be of one kind; 0 when there is none.
std::size_t lineOf(TomlHazard wanted, const std::string& text) {
  const TomlHazardAt found = findTomlHazard(text);
  if (found.hazard == TomlHazard::None) return 0;
  EXPECT_EQ(found.hazard, wanted) << text;
  return found.line;
}

std::size_t tooDeepLine(const std::string& text) {
  return lineOf(TomlHazard::TooDeep, text);
}
std::size_t strayLine(const std::string& text) {
  return lineOf(TomlHazard::StrayByte, text);
}

TEST(TomlHazard, IsMoreThan32BracketsOrDots) {
  EXPECT_EQ(tooDeepLine("a = " + std::string(kMaxNesting, '[')), 0U);
  EXPECT_EQ(tooDeepLine("a = 1\nb = " + std::string(kMaxNesting + 1, '[')), 2U);
  EXPECT_EQ(tooDeepLine("\n\na" + std::string(kMaxNesting + 1, '.')), 3U);
}

TEST(TomlHazard, IsNotManyNumbersOrTablesInARow) {
  std::string numbers = "a = [";
  std::string tables;
  for (std::size_t i = 0; i <= kMaxNesting; ++i) {
    numbers += "1.5, ";
    tables += "b" + std::to_string(i) + " = {x = [1]}\n";
  }
  EXPECT_EQ(tooDeepLine(numbers + "]"), 0U);
  EXPECT_EQ(tooDeepLine(tables), 0U);
}

TEST(TomlHazard, HidesInNoStringOrComment) {
  const std::string deep(kMaxNesting + 1, '{');
  EXPECT_EQ(tooDeepLine("a = \"\\\"" + deep + "\""), 0U);
  EXPECT_EQ(tooDeepLine("a = '" + deep + "'"), 0U);
  EXPECT_EQ(tooDeepLine("a = \"\"\"\n\"" + deep + "\n\"\"\""), 0U);
  EXPECT_EQ(tooDeepLine("# " + deep + "\na = 1"), 0U);
}

TEST(TomlHazard, IsSeenAgainBehindAStringOrComment) {
  const std::string deep(kMaxNesting + 1, '{');
  EXPECT_EQ(tooDeepLine("a = \"\"\"\n#\"\"\"\nb = " + deep), 3U);
  EXPECT_EQ(tooDeepLine("a = '''x'''''\nb = " + deep), 2U);
  EXPECT_EQ(tooDeepLine("a = '\\'\nb = " + deep), 2U);
  EXPECT_EQ(tooDeepLine("a = \"open\nb = " + deep), 2U);
  EXPECT_EQ(tooDeepLine("# c\r\nb = " + deep), 2U);
}

TEST(TomlHazard, IsAByteThatTomlHasOnlyInTextsAndComments) {
  EXPECT_EQ(strayLine("a = 1\nö = 2"), 2U);
  EXPECT_EQ(strayLine("a = \x01"), 1U);
  EXPECT_EQ(strayLine(std::string("\0", 1)), 1U);
  EXPECT_EQ(strayLine("\ta = \"ö\" # ö\r\n"), 0U);
  EXPECT_EQ(strayLine("'ö' = '''\nö'''"), 0U);
}

TEST(TomlHazard, IsNotTheByteOrderMarkOfAFile) {
  const std::string mark = "\xef\xbb\xbf";
  EXPECT_EQ(strayLine(mark + "a = 1"), 0U);
  EXPECT_EQ(strayLine("a = 1\n" + mark), 2U);
}

}  // namespace
}  // namespace ipusim
