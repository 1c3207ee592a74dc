// SPDX-License-Identifier: Apache-2.0
#include "base/text/message.h"

#include <gtest/gtest.h>

#include "ipusim/error.h"

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

TEST(OneLine, EscapesMarksThatTurnTheDirectionOfText) {
  EXPECT_EQ(oneLine("a\u202eb"), "a\\xe2\\x80\\xaeb");
  for (const char* mark : {"\u200e", "\u200f", "\u202a", "\u2066", "\u2069"}) {
    EXPECT_EQ(oneLine(mark).substr(0, 4), "\\xe2");
  }
  for (const char* other : {"\u200d", "\u2010", "\u2030", "\u2065", "\u206a"}) {
    EXPECT_EQ(oneLine(other), other);
  }
}

TEST(IsUtf8, RefusesWhatJsonRefuses) {
  EXPECT_TRUE(isUtf8(""));
  EXPECT_TRUE(isUtf8("größe € \U0001f600"));
  for (const char* other : {"\xff", "\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80",
                            "\xf0\x80\x80\x80", "\xf4\x90\x80\x80"}) {
    EXPECT_FALSE(isUtf8(other));
  }
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

TEST(Nearest, FindsAWordByItsBeginning) {
  EXPECT_EQ(nearest("exp", {"exponent", "erf"}), "exponent");
  EXPECT_EQ(nearest("ex", {"exponent"}), "");
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

TEST(Check, ThrowsTheReason) {
  EXPECT_NO_THROW(check(true, "fine"));
  EXPECT_THROW(check(false, "not fine"), InternalError);
}

}  // namespace
}  // namespace ipusim
