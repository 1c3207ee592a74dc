// SPDX-License-Identifier: Apache-2.0
#include "base/numbers/whole_number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ipusim {
namespace {

TEST(WholeNumber, OfARealOneIsExactOrNone) {
  EXPECT_EQ(wholeNumberOf(0.0), 0U);
  EXPECT_EQ(wholeNumberOf(150e9), 150'000'000'000U);
  EXPECT_EQ(wholeNumberOf(9007199254740992.0), 9007199254740992U);
  for (const double real : {-1.0, 0.5, 1e16, std::nan(""), HUGE_VAL}) {
    EXPECT_EQ(wholeNumberOf(real), std::nullopt) << real;
  }
}

TEST(WholeNumber, InATextIsAllOfIt) {
  EXPECT_EQ(wholeNumberIn("18446744073709551615"), ~std::uint64_t{0});
  EXPECT_EQ(wholeNumberIn("1e6"), 1'000'000U);
  EXPECT_EQ(wholeNumberIn("3.0"), 3U);
  for (const char* text : {"", " 1", "1 ", "1e", "0.5", "-1", "1e16", "nan", "inf", "0x10", "+1"}) {
    EXPECT_EQ(wholeNumberIn(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace ipusim
