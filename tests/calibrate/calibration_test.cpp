// SPDX-License-Identifier: Apache-2.0
#include "sim/calibrate/calibration.h"

#include <gmock/gmock.h>

#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

namespace ipusim::calibrate {
namespace {

using testing::HasSubstr;

constexpr const char* kRows = "[rows]\nSK-T2-03 = {error_percent = 3}\n";
constexpr const char* kConstant =
    "[constants.fp32_tile_base]\nstart = 1\nlow = 0.5\nhigh = 2\nunit = \"1\"\nsource = \"s\"\n";

Calibration read(const std::string& rows, const std::string& constants) {
  return readCalibration(ConfigReader::fromText(
      "target = \"gpu\"\nfragment = \"f.toml\"\n" + rows + constants, "c.toml"));
}

std::string errorOf(const std::string& rows, const std::string& constants) {
  return configErrorOf([&] { read(rows, constants); });
}

TEST(Calibration, HasConstantsAndRows) {
  const Calibration calibration = read(kRows, kConstant);
  EXPECT_EQ(calibration.target, Target::Gpu);
  ASSERT_EQ(calibration.constants.size(), 1U);
  EXPECT_EQ(calibration.constants[0].key, "fp32_tile_base");
  EXPECT_FALSE(calibration.constants[0].whole);
  ASSERT_EQ(calibration.rows.size(), 1U);
  EXPECT_DOUBLE_EQ(calibration.rows[0].measurement.value, 9722);
}

/// SK-T2-02 is there, with the role validate.
TEST(Calibration, HasNoRowOfAnotherRole) {
  EXPECT_THAT(errorOf("[rows]\nSK-T2-02 = {error_percent = 3}\n", kConstant),
              HasSubstr("c.toml:4: rows.SK-T2-02: wanted the id of a row of the measurements whose "
                        "role is calibrate"));
}

TEST(Calibration, HasAtLeastAsManyRowsAsConstants) {
  const std::string two =
      std::string(kConstant) +
      "[constants.tf32_tile_base]\nstart = 1\nlow = 0.5\nhigh = 2\nunit = \"1\"\nsource = \"s\"\n";
  EXPECT_THAT(errorOf(kRows, two), HasSubstr("rows: wanted at least as many rows as constants, 2"));
}

TEST(Calibration, SaysWhatIsWrong) {
  EXPECT_THAT(errorOf(kRows, "[constants.speed]\nstart = 1\n"),
              HasSubstr("constants.speed: wanted a constant of a preset"));
  EXPECT_THAT(errorOf(kRows, "[constants]\n"), HasSubstr("wanted at least one constant"));
  EXPECT_THAT(errorOf("[rows]\nSK-T2-03 = {error_percent = 0}\n", kConstant),
              HasSubstr("rows.SK-T2-03.error_percent: wanted"));
  EXPECT_THAT(errorOf(kRows, std::string(kConstant) + "step = 1\n"),
              HasSubstr("the unknown key \"step\""));
}

class FragmentFile : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path of(const std::string& name) const {
    const auto file = folder_.write(
        "c.toml", "target = \"gpu\"\nfragment = \"" + name + "\"\n" + kRows + kConstant);
    return readCalibration(ConfigReader::fromFile(file)).fragment;
  }
  TemporaryFolder folder_;
};

TEST_F(FragmentFile, IsFoundBesideTheFileAndInTheTree) {
  EXPECT_EQ(of("f.toml"), folder_ / "f.toml");  // not there yet
  folder_.write("f.toml", "");
  EXPECT_EQ(of("f.toml"), folder_ / "f.toml");
  EXPECT_TRUE(std::filesystem::exists(of("configs/gpus/fitted/a30.toml")));
}

TEST_F(FragmentFile, IsMadeInTheFolderItNames) {
  std::filesystem::create_directories(folder_ / "fitted");
  EXPECT_EQ(of("fitted/f.toml"), folder_ / "fitted" / "f.toml");
  EXPECT_TRUE(std::filesystem::exists(of("configs/gpus/fitted/other.toml").parent_path()));
  EXPECT_EQ(of("nowhere/f.toml"), "nowhere/f.toml");
}

TEST(Calibration, KnowsWholeConstantsOfAnIpu) {
  const auto calibration = readCalibration(
      ConfigReader::fromFile(findConfigFile("configs/calibrations/gc200.toml", {})));
  EXPECT_EQ(calibration.target, Target::Machine);
  for (const FreeConstant& constant : calibration.constants) EXPECT_TRUE(constant.whole);
}

}  // namespace
}  // namespace ipusim::calibrate
