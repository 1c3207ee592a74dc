// SPDX-License-Identifier: Apache-2.0
#include "sim/base/message.h"

#include <gtest/gtest.h>

#include "sim/base/error.h"
#include "sim/base/toml_nesting.h"

namespace ipusim {
namespace {

TEST(OneLine, EscapesWhatWouldBreakOrSteerATerminal) {
  EXPECT_EQ(oneLine("a\nb\r\tc"), "a\\nb\\r\\tc");
  EXPECT_EQ(oneLine("\x1b[31m"), "\\x1b[31m");
  EXPECT_EQ(oneLine(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(oneLine("\x7f"), "\\x7f");
  EXPECT_EQ(oneLine("\u0085"), "\\xc2\\x85");
  EXPECT_EQ(oneLine("\u2028"), "\\xe2\\x80\\xa8");
}

TEST(OneLine, KeepsUtf8AndEscapesWhatIsNone) {
  EXPECT_EQ(oneLine("größe €"), "größe €");
  EXPECT_EQ(oneLine("\xff"
                    "a\xc3"),
            "\\xff"
            "a\\xc3");
  EXPECT_EQ(oneLine("\xc3("), "\\xc3(");
}

TEST(OneLine, CutsLongTextBetweenCharacters) {
  EXPECT_EQ(oneLine("abcdef", 3), "abc…");
  EXPECT_EQ(oneLine("abc", 3), "abc");
  EXPECT_EQ(oneLine("aä", 2), "a…");
}

TEST(Nearest, FindsATypingSlip) {
  EXPECT_EQ(nearest("tils", {"clock_hz", "tiles", "name"}), "tiles");
  EXPECT_EQ(nearest("sram_per_tile_byte", {"sram_per_tile_bytes", "tiles"}), "sram_per_tile_bytes");
}

TEST(Nearest, FindsAKeyThatLacksItsUnit) {
  EXPECT_EQ(nearest("sram_per_tile", {"sram_per_tile_bytes", "tiles"}), "sram_per_tile_bytes");
  EXPECT_EQ(nearest("sram_per", {"sram_pertile_bytes"}), "");
}

TEST(Nearest, DoesNotGuessWildly) {
  EXPECT_EQ(nearest("banana", {"tiles", "clock_hz"}), "");
  EXPECT_EQ(nearest("m", {"k", "n"}), "");
  EXPECT_EQ(nearest("", {"k"}), "");
  EXPECT_EQ(nearest("tiles", {}), "");
}

TEST(DidYouMean, SaysNothingWithoutANearChoice) {
  EXPECT_EQ(didYouMean("haf", {"half", "float"}), " (did you mean half?)");
  EXPECT_EQ(didYouMean("quarter", {"half", "float"}), "");
}

TEST(TooDeepLine, CountsBracketsAndDots) {
  EXPECT_EQ(tooDeepLine("a = " + std::string(kMaxNesting, '[')), 0U);
  EXPECT_EQ(tooDeepLine("a = 1\nb = " + std::string(kMaxNesting + 1, '[')), 2U);
  EXPECT_EQ(tooDeepLine("\n\na" + std::string(kMaxNesting + 1, '.')), 3U);
  EXPECT_EQ(tooDeepLine("a = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0,\n"
                        "1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0]"),
            0U);
}

TEST(TooDeepLine, PassesOverStringsAndComments) {
  const std::string deep(kMaxNesting + 1, '{');
  EXPECT_EQ(tooDeepLine("a = \"\\\"" + deep + "\""), 0U);
  EXPECT_EQ(tooDeepLine("a = '" + deep + "'"), 0U);
  EXPECT_EQ(tooDeepLine("a = \"\"\"\n\"" + deep + "\n\"\"\""), 0U);
  EXPECT_EQ(tooDeepLine("# " + deep + "\na = 1"), 0U);
  EXPECT_EQ(tooDeepLine("a = \"\"\"\n#\"\"\"\nb = " + deep), 3U);
  EXPECT_EQ(tooDeepLine("a = '''x'''''\nb = " + deep), 2U);
}

TEST(Check, ThrowsTheReason) {
  EXPECT_NO_THROW(check(true, "fine"));
  EXPECT_THROW(check(false, "not fine"), InternalError);
}

}  // namespace
}  // namespace ipusim
