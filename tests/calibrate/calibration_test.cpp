// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/calibrate/calibration.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

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

/// SK-T2-02 exists, with the role validate.
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

/// The file of constants that a calibration names.
class FragmentFile : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path of(const std::string& name) const {
    const auto file = folder_.write(
        "c.toml", "target = \"gpu\"\nfragment = \"" + name + "\"\n" + kRows + kConstant);
    return readCalibration(ConfigReader::fromFile(file)).fragment;
  }
  void expectRefused(const std::string& name, const std::string& wanted) const {
    EXPECT_THAT(configErrorOf([&] { (void)of(name); }),
                HasSubstr("c.toml:2: fragment: wanted " + wanted))
        << name;
  }
  void expectNotBelow(const std::string& name) const {
    expectRefused(name, "a file below the folder of this one, by no link and no ..");
  }
  TemporaryFolder folder_;
};

TEST_F(FragmentFile, LiesBelowTheFolderOfTheFile) {
  EXPECT_EQ(of("f.toml"), folder_ / "f.toml");
  EXPECT_EQ(of("new/f.toml"), folder_ / "new/f.toml");
  folder_.write("f.toml", std::string(kFragmentMark) + "a = 1\n");
  EXPECT_EQ(of("f.toml"), folder_ / "f.toml");
}

TEST_F(FragmentFile, IsNoneElsewhere) {
  const std::string outside = (folder_ / "f.toml").string();
  for (const std::string& name :
       {outside, std::string("../f.toml"), std::string("new/../../f.toml"), std::string("new/"),
        std::string("."), std::string(), std::string("f.toml\\u0000g.toml")}) {
    expectNotBelow(name);
  }
}

TEST_F(FragmentFile, IsNoneBehindALink) {
  std::filesystem::create_directories(folder_ / "real");
  const auto target = folder_.write("real/f.toml", std::string(kFragmentMark));
  std::filesystem::create_directory_symlink(folder_ / "real", folder_ / "link");
  std::filesystem::create_symlink(target, folder_ / "f.toml");
  std::filesystem::create_symlink(folder_ / "nowhere", folder_ / "dangling.toml");
  expectNotBelow("link/f.toml");
  expectNotBelow("link/new.toml");
  expectNotBelow("f.toml");
  expectRefused("dangling.toml", "a file that ipusim calibrate wrote, or none yet");
}

TEST_F(FragmentFile, IsNoneThatSomethingElseWrote) {
  constexpr const char* kWanted = "a file that ipusim calibrate wrote, or none yet";
  folder_.write("notes.txt", "a = 1\n");
  folder_.write("empty.toml", "");
  folder_.write("late.toml", "a = 1\n" + std::string(kFragmentMark));
  std::filesystem::create_directories(folder_ / "folder");
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), S_IRWXU), 0);
  for (const char* name : {"notes.txt", "empty.toml", "late.toml", "folder", "pipe", "c.toml"}) {
    expectRefused(name, kWanted);
  }
}

TEST(Calibration, MeasurementsThatCannotBeReadAreToldAtTheKey) {
  const TemporaryFolder folder;
  const auto file = folder.write("c.toml",
                                 "target = \"gpu\"\nfragment = \"f.toml\"\n"
                                 "measurements = \".\"\n" +
                                     std::string(kRows) + kConstant);
  EXPECT_THAT(configErrorOf([&] { readCalibration(ConfigReader::fromFile(file)); }),
              HasSubstr("c.toml:3: measurements: "));
}

TEST(Calibration, KnowsWholeConstantsOfAnIpu) {
  const auto calibration = readCalibration(
      ConfigReader::fromFile(findConfigFile("configs/calibrations/gc200.toml", {})));
  EXPECT_EQ(calibration.target, Target::Machine);
  for (const FreeConstant& constant : calibration.constants) EXPECT_TRUE(constant.whole);
}

}  // namespace
}  // namespace ipusim::calibrate
