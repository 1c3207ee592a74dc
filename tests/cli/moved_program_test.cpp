// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "tests/cli/cli_test_base.h"

// Copies of the program, far from the tree in which they were built.

namespace ipusim::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

class MovedProgram : public CliTest {
 protected:
  MovedProgram() {
    fs::create_directories(folder() / "bin");
    fs::create_directories(folder() / "empty");
    fs::copy_file(IPUSIM_PROGRAM, program());
  }
  [[nodiscard]] fs::path program() const { return folder() / "bin" / "ipusim"; }
  void writePreset(const std::string& home) const {
    fs::create_directories(folder() / home / "configs" / "machines");
    fs::copy_file("configs/machines/toy.toml", folder() / home / "configs/machines/small.toml");
  }
  /// Runs the copy in an empty folder; `setting` goes to its environment.
  [[nodiscard]] Finished runThere(const std::vector<std::string>& arguments,
                                  const std::string& setting = "A=") const {
    const std::vector<std::string> launcher = {"env",
                                               "-u",
                                               "IPUSIM_HOME",
                                               "-C",
                                               (folder() / "empty").string(),
                                               setting,
                                               "sh",
                                               "-c",
                                               "shift; exec ../bin/ipusim \"$@\"",
                                               "sh"};
    return IpusimProcess(folder(), launcher, arguments).wait();
  }
};

TEST_F(MovedProgram, ReadsNoOtherTreeAndSaysWhereItLooked) {
  for (const std::string what : {"machines", "gpus"}) {
    const Finished finished = runThere({"list", what});
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_EQ(finished.out, "");
    EXPECT_THAT(finished.err, StartsWith("configs/" + what + ": wanted presets, found none in "));
    EXPECT_THAT(finished.err, HasSubstr(", share/ipusim/configs/" + what + " of a folder above " +
                                        program().string()));
  }
}

TEST_F(MovedProgram, SaysWhereItLookedForAMachine) {
  const Finished finished = runThere({"run", smallRun()});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, StartsWith((folder() / "run.toml").string() +
                                       ":1: machine: wanted a path (there are no presets: none in "
                                       "configs/machines, share/ipusim/configs/machines of"));
}

TEST_F(MovedProgram, ReadsWhatIsInstalledWithIt) {
  writePreset("share/ipusim");
  const Finished finished = runThere({"list", "machines"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_THAT(finished.out, StartsWith("small  "));
  EXPECT_EQ(std::count(finished.out.begin(), finished.out.end(), '\n'), 1) << finished.out;
}

TEST_F(MovedProgram, ReadsWhatItsEnvironmentNames) {
  writePreset("share/ipusim");
  fs::create_directories(folder() / "other");
  const std::string other = (folder() / "other").string();
  EXPECT_THAT(runThere({"list", "machines"}, "IPUSIM_HOME=" + other).err,
              HasSubstr(other + "/configs/machines\n"));
}

}  // namespace
}  // namespace ipusim::cli
