// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/quantity.h"

#include <gtest/gtest.h>

namespace ipusim::report {
namespace {

TEST(BytesText, CountsBytesBelowAKilobyteAndRoundsAbove) {
  EXPECT_EQ(bytesText(Bytes(0)), "0 B");
  EXPECT_EQ(bytesText(Bytes(999)), "999 B");
  EXPECT_EQ(bytesText(Bytes(1000)), "1.00 kB");
  EXPECT_EQ(bytesText(Bytes(611'413)), "611 kB");
  EXPECT_EQ(bytesText(Bytes(900'000'000)), "900 MB");
}

TEST(BytesText, ChangesTheUnitWhenRoundingReachesIt) {
  EXPECT_EQ(bytesText(Bytes(999'499)), "999 kB");
  EXPECT_EQ(bytesText(Bytes(999'500)), "1.00 MB");
}

TEST(SecondsText, PrefersTenthsToHundreds) {
  EXPECT_EQ(secondsText(0.42e-3), "0.420 ms");
  EXPECT_EQ(secondsText(42e-6), "42.0 us");
  EXPECT_EQ(secondsText(1.5), "1.50 s");
  EXPECT_EQ(secondsText(7e-10), "0.700 ns");
}

TEST(SecondsText, NothingIsZeroNanoseconds) {
  EXPECT_EQ(secondsText(0), "0.000 ns");
}

TEST(RateText, GoesUpToPetaflops) {
  EXPECT_EQ(rateText(41.23e12), "41.2 TFLOP/s");
  EXPECT_EQ(rateText(3.5e15), "3.50 PFLOP/s");
  EXPECT_EQ(rateText(12), "12.0 FLOP/s");
}

TEST(CountText, GroupsThousands) {
  EXPECT_EQ(countText(0), "0");
  EXPECT_EQ(countText(999), "999");
  EXPECT_EQ(countText(1000), "1,000");
  EXPECT_EQ(countText(1'234'567), "1,234,567");
}

TEST(CountText, GivesWayToThreeFiguresWhereThereIsNoRoom) {
  EXPECT_EQ(countText(1'234'567, 9), "1,234,567");
  EXPECT_EQ(countText(12'345'678, 9), "1.23e+07");
}

TEST(CountOf, AgreesInNumber) {
  EXPECT_EQ(countOf(1, "tile"), "1 tile");
  EXPECT_EQ(countOf(2, "tile"), "2 tiles");
}

TEST(Bar, ShowsASliverOfWhatIsNotZero) {
  EXPECT_EQ(bar(0, 4), "");
  EXPECT_EQ(bar(0.001, 4), "▏");
  EXPECT_EQ(bar(0.5, 4), "██");
  EXPECT_EQ(bar(2, 4), "████");
}

}  // namespace
}  // namespace ipusim::report
