// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/cli/cli_test_base.h"

namespace ipusim::cli {
namespace {

using testing::HasSubstr;

class CalibrateCommand : public CliTest {
 protected:
  [[nodiscard]] std::string calibration() const {
    return write("c.toml",
                 "target = \"gpu\"\nfragment = \"fitted.toml\"\n"
                 "[rows]\nSK-T2-03 = {error_percent = 3}\n"
                 "[constants.fp32_tile_base]\n"
                 "start = 1\nlow = 0.5\nhigh = 2\nunit = \"1\"\nsource = \"s\"\n");
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder() / name).string();
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    std::ifstream file(folder() / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_F(CalibrateCommand, PrintsTheFitAndWritesTheConstants) {
  const Finished finished = run({"calibrate", calibration()});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_THAT(finished.out, HasSubstr("fp32_tile_base"));
  EXPECT_THAT(finished.out, HasSubstr("SK-T2-03"));
  EXPECT_THAT(finished.out, HasSubstr("Written: " + path("fitted.toml")));
  EXPECT_THAT(text("fitted.toml"), HasSubstr("fp32_tile_base = { value = 0.88"));
}

TEST_F(CalibrateCommand, PrintsNothingWhenItCannotWrite) {
  const Finished finished = run({"calibrate", calibration(), "--out", "/dev/full"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.out, "");
  EXPECT_THAT(finished.err, HasSubstr("/dev/full: wanted to write the file"));
}

TEST_F(CalibrateCommand, WritesNothingWhenDry) {
  const Finished finished = run({"calibrate", calibration(), "--dry-run"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder() / "fitted.toml"));
}

TEST_F(CalibrateCommand, WritesElsewhereWhenAsked) {
  EXPECT_EQ(run({"calibrate", calibration(), "--out", path("other.toml")}).exit_code, 0);
  EXPECT_THAT(text("other.toml"), HasSubstr("fp32_tile_base"));
}

TEST_F(CalibrateCommand, WritesThroughALinkThatItIsGiven) {
  (void)write("target.toml", "old");
  std::filesystem::create_symlink(path("target.toml"), path("link"));
  EXPECT_EQ(run({"calibrate", calibration(), "--out", path("link")}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_THAT(text("target.toml"), HasSubstr("fp32_tile_base"));
}

TEST_F(CalibrateCommand, APathThatCannotBeWrittenIsAnErrorBeforeTheFit) {
  std::filesystem::create_symlink(path("nowhere"), path("link"));
  const std::string file = write("file", "");
  for (const std::string& out : {path("link"), folder().string(), file + "/below.toml"}) {
    const Finished finished = run({"calibrate", calibration(), "--out", out});
    EXPECT_EQ(finished.exit_code, 2) << out;
    EXPECT_EQ(finished.out, "") << out;
  }
}

TEST_F(CalibrateCommand, LeavesAPipeThatNobodyReadsAlone) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), S_IRWXU), 0);
  const Finished finished = run({"calibrate", calibration(), "--out", path("pipe")});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("pipe: wanted to write into it, found: nobody who reads"));
  EXPECT_TRUE(std::filesystem::is_fifo(path("pipe")));
}

TEST_F(CalibrateCommand, WritesOverNothingThatItDidNotWrite) {
  const std::string file = calibration();
  (void)write("fitted.toml", "precious");
  const Finished finished = run({"calibrate", file});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("c.toml:2: fragment: wanted a file that ipusim calibrate"));
  EXPECT_EQ(text("fitted.toml"), "precious");
}

TEST_F(CalibrateCommand, RefusesRowsThatTellNothing) {
  const Finished finished =
      run({"calibrate", calibration(), "--set", "rows={SK-T2-04={error_percent=3}}"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("wanted rows that tell 1 constants apart"));
}

}  // namespace
}  // namespace ipusim::cli
