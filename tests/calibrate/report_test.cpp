// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/calibrate/report.h"

#include <gmock/gmock.h>

#include "tests/calibrate/line.h"

namespace ipusim::calibrate {
namespace {

using testing::HasSubstr;

CalibrationResult result() {
  CalibrationResult result;
  result.fit.values = {2, 3};
  result.fit.relative_errors = {0.05, 0.1};
  result.fit.correlations = {{1, -0.5}, {-0.5, 1}};
  result.rows = {{4, 5, std::nullopt}, {8.8, 8, 8.4}, {14, 14, std::nullopt}};
  return result;
}

TEST(CalibrationTable, HasErrorsOfConstantsAndRows) {
  const std::string text = tableText(line(), result());
  EXPECT_THAT(text, HasSubstr("a                    1             2             0.1     5.00  s"));
  EXPECT_THAT(text, HasSubstr("R0             5      -20.00       +0.00           -  x"));
  EXPECT_THAT(text, HasSubstr("R1             8      +10.00       +0.00       +5.00  x"));
}

TEST(CalibrationFragment, IsATableOfConstants) {
  const auto file = ConfigReader::fromText(fragmentText(line(), result()), "f.toml");
  const ConfigReader a = file.table("a");
  EXPECT_DOUBLE_EQ(a.real("value", 0, 10), 2);
  EXPECT_DOUBLE_EQ(a.real("standard_error", 0, 10), 0.1);
  EXPECT_EQ(a.text("source"), "a \"source\"");
  EXPECT_EQ(a.text("kind"), "fitted");
  EXPECT_EQ(a.text("unit"), "s");
  EXPECT_DOUBLE_EQ(a.table("correlations").real("b", -1, 1), -0.5);
}

TEST(CalibrationFragment, IsTomlWhateverItsTextsHold) {
  Calibration calibration = line();
  calibration.constants[0].source = "two\nlines, \x1b and \x7f";
  const std::string text = fragmentText(calibration, result());
  EXPECT_EQ(ConfigReader::fromText(text, "f.toml").table("a").text("source"),
            calibration.constants[0].source);
  EXPECT_EQ(text.rfind(kFragmentMark, 0), 0U);
}

TEST(CalibrationTable, ShowsWhatSteersATerminal) {
  Calibration calibration = line();
  calibration.constants[0].unit = "\x1b[2J";
  EXPECT_THAT(tableText(calibration, result()), HasSubstr("\\x1b[2J"));
}

}  // namespace
}  // namespace ipusim::calibrate
