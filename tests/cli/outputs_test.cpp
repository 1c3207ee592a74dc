// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/cli/cli_test_base.h"

// What a command does with the files that it is to write, and with those that others left.

namespace ipusim::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

class Outputs : public CliTest {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder() / name).string();
  }
  /// The one line of a command that is refused.
  [[nodiscard]] std::string refused(const std::vector<std::string>& words) const {
    const Finished finished = run(words);
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_EQ(finished.out, "");
    EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
    return finished.err;
  }
};

TEST_F(Outputs, ThatAreTheInputAreRefused) {
  const std::string config = smallRun();
  for (const char* option : {"--report", "--timeline"}) {
    EXPECT_EQ(refused({"run", config, option, config}), std::string(option) +
                                                            ": wanted another file than the input, "
                                                            "found \"" +
                                                            config + "\"\n");
  }
  fs::create_symlink(config, path("link.toml"));
  EXPECT_THAT(refused({"run", config, "--report", path("link.toml")}), StartsWith("--report: "));
  EXPECT_THAT(refused({"trace", "record", config, "-o", config}), StartsWith("-o: wanted another"));
  EXPECT_THAT(refused({"diff", config, config, "--report", config}), StartsWith("--report: "));
  EXPECT_EQ(textOf(config), kSmallRun);
}

TEST_F(Outputs, OfOneNameAreRefused) {
  const std::string file = path("f.html");
  EXPECT_THAT(refused({"run", smallRun(), "--timeline", file, "--report", file}),
              StartsWith("--timeline: wanted another file than that of --report, found"));
  EXPECT_THAT(refused({"run", smallRun(), "--out", path("o"), "--report", path("o/steps.csv")}),
              StartsWith("--report: wanted another file than that of --out, found"));
  EXPECT_THAT(refused({"run", smallRun(), "--out", path("o"), "--timeline", path("o/layers.csv")}),
              StartsWith("--timeline: wanted another file than that of --out, found"));
  EXPECT_FALSE(fs::exists(file));
  EXPECT_FALSE(fs::exists(path("o")));
}

TEST_F(Outputs, MayAllGoToADevice) {
  EXPECT_EQ(run({"run", smallRun(), "--timeline", "/dev/null", "--report", "/dev/null"}).exit_code,
            0);
}

TEST_F(Outputs, AboveTheLimitForFilesAreAnErrorOfOneLine) {
  const std::string config = smallRun();
  const std::vector<std::string> limited = {"/bin/bash", "-c", "ulimit -f 1; exec \"$@\"", "sh"};
  const std::string report = path("r.html");
  const Finished finished =
      IpusimProcess(folder(), limited, {"run", config, "--report", report}).wait();
  EXPECT_EQ(finished.exit_code, 2) << finished.err;
  EXPECT_THAT(finished.err, HasSubstr("wanted to write the file, found: File too large"));
  EXPECT_FALSE(fs::exists(report));
}

TEST_F(Outputs, ThatAKilledCommandLeftAreRemoved) {
  const std::string config = smallRun();
  const std::string out = path("out");
  fs::create_directory(out);
  // No process has a number above the largest of Linux.
  const std::string lost = write("out/.ipusim.2000000000.0", "half a");
  const std::string alive = write("out/.ipusim.1.0", "of a process that lives");
  const std::string other = write("out/.ipusim.mine", "the user's");
  EXPECT_EQ(run({"run", config, "--out", out}).exit_code, 0);
  EXPECT_FALSE(fs::exists(lost));
  EXPECT_TRUE(fs::exists(alive));
  EXPECT_TRUE(fs::exists(other));
}

}  // namespace
}  // namespace ipusim::cli
