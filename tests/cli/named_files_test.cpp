// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>

#include "tests/cli/cli_test_base.h"

// Errors in files that a key names, and in conditions, are told at the line of the key.

namespace ipusim::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class NamedFiles : public CliTest {
 protected:
  /// Runs the command on a config with that text, and returns its one line of error.
  [[nodiscard]] std::string errorOf(const std::string& command, const std::string& text) const {
    const std::string config = write("c.toml", text);
    std::vector<std::string> arguments = {command, config};
    if (command != "run") arguments.insert(arguments.end(), {"--out", (folder() / "o").string()});
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_EQ(finished.out, "");
    EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
    return finished.err;
  }
  [[nodiscard]] std::string at(const std::string& line_and_key) const {
    return (folder() / "c.toml").string() + line_and_key + ": ";
  }
};

TEST_F(NamedFiles, AMachine) {
  const std::string folder_name = folder().string();
  EXPECT_THAT(errorOf("run", "machine = \"" + folder_name + "\"\n"),
              StartsWith(at(":1: machine") + folder_name + ": wanted a file, found a directory"));
  EXPECT_THAT(errorOf("run", "\nmachine = \"none.toml\"\n"),
              StartsWith(at(":2: machine") + "wanted a file, found \"none.toml\" nowhere"));
  (void)write("m.toml", "tiles = \n");
  EXPECT_THAT(errorOf("run", "machine = \"m.toml\"\n"), StartsWith(at(":1: machine")));
  EXPECT_THAT(errorOf("run", "[machine]\ntiles = 3\nbase = \"m.toml\"\n"),
              StartsWith(at(":3: machine.base") + (folder() / "m.toml").string() + ":1: wanted"));
}

TEST_F(NamedFiles, APipeWithoutAWriterOrADevice) {
  const std::string pipe = (folder() / "pipe.toml").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string trace = (folder() / "pipe.ipt").string();
  ASSERT_EQ(mkfifo(trace.c_str(), 0600), 0);
  const std::vector<std::vector<std::string>> commands = {{"run", pipe},
                                                          {"check", trace},
                                                          {"trace", "check", trace},
                                                          {"trace", "info", trace},
                                                          {"poplar", "replay", pipe},
                                                          {"diff", pipe, pipe}};
  for (const std::vector<std::string>& command : commands) {
    const Finished finished = run(command);
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_THAT(finished.err, HasSubstr("wanted a file, found a pipe that nobody writes to"));
  }
  EXPECT_EQ(run({"diff", "/dev/zero", "x"}).err, "/dev/zero: wanted a file, found a device\n");
}

TEST_F(NamedFiles, AMachineOfAnOption) {
  const Finished finished =
      run({"trace", "import", "--chakra", "x", "--machine", "nope", "-o", "unused"});
  EXPECT_THAT(finished.err, StartsWith("--machine: wanted one of"));
}

TEST_F(NamedFiles, AGpu) {
  EXPECT_THAT(errorOf("run", "gpu = \"" + folder().string() + "\"\n[program]\nkind = \"x\"\n"),
              StartsWith(at(":1: gpu")));
}

TEST_F(NamedFiles, AnIncludedFile) {
  (void)write("p.toml", "base = \"toy\"\ninclude = \"broken.toml\"\n");
  (void)write("broken.toml", "a = = 1\n");
  EXPECT_THAT(errorOf("run", "machine = \"p.toml\"\n"),
              StartsWith((folder() / "p.toml").string() + ":2: include: " +
                         (folder() / "broken.toml").string() + ":1: wanted TOML"));
}

TEST_F(NamedFiles, AMatrix) {
  const auto of = [&](const std::string& name) {
    return errorOf(
        "run", "machine = \"toy\"\n[workload]\nkind = \"sparse_matmul\"\nn = 4\nfile = \"" + name +
                   "\"\n");
  };
  (void)write("m.mtx", "no matrix\n");
  EXPECT_THAT(of("none.mtx"), StartsWith(at(":5: workload.file") + "wanted a file"));
  EXPECT_THAT(of("m.mtx"), StartsWith(at(":5: workload.file") + (folder() / "m.mtx").string()));
  EXPECT_THAT(of(folder().string()), StartsWith(at(":5: workload.file") + folder().string()));
}

TEST_F(NamedFiles, ARunConfigOfASweep) {
  const std::string axes = "[axes]\nmachine.tiles = [1]\n";
  EXPECT_THAT(errorOf("sweep", "\nrun = \"none.toml\"\n" + axes),
              StartsWith(at(":2: run") + "wanted a file"));
  EXPECT_THAT(errorOf("sweep", "run = \".\"\n" + axes), StartsWith(at(":1: run")));
  (void)write("broken.toml", "x = \n");
  EXPECT_THAT(errorOf("sweep", "run = \"broken.toml\"\n" + axes), StartsWith(at(":1: run")));
}

TEST_F(NamedFiles, AConditionOfASweep) {
  (void)smallRun();
  const auto of = [&](const std::string& where) {
    return errorOf("sweep",
                   "run = \"run.toml\"\nwhere = '" + where + "'\n[axes]\nmachine.tiles = [1]\n");
  };
  EXPECT_THAT(of("machine.tiles <"), StartsWith(at(":2: where") + "wanted "));
  EXPECT_THAT(of("machine.tails < 1"), StartsWith(at(":2: where") + "wanted "));
  EXPECT_THAT(of("machine.tiles < \"a\""), StartsWith(at(":2: where") + "wanted "));
}

TEST_F(NamedFiles, AConditionOfASearchThatNoPointMeets) {
  (void)smallRun();
  EXPECT_EQ(errorOf("explore",
                    "run = \"run.toml\"\nwhere = \"machine.tiles > 9\"\n[axes]\n"
                    "machine.tiles = [4, 5]\n[explore]\nminimize = [\"machine.tiles\"]\n"
                    "maximize = [\"time.seconds\"]\n"),
            at(":2: where") + "wanted a condition that some point meets, found none that does\n");
}

TEST_F(NamedFiles, AConstraintAndAnObjectiveOfASearch) {
  (void)smallRun();
  const auto of = [&](const std::string& objective, const std::string& constraint) {
    return errorOf("explore",
                   "run = \"run.toml\"\n[axes]\nmachine.tiles = [4, 5, 6, 7]\n"
                   "workload.elements = [1, 2, 3]\n[explore]\nminimize = [\"machine.tiles\", \"" +
                       objective + "\"]\nconstraints = [\"" + constraint + "\"]\n");
  };
  EXPECT_THAT(of("time.seconds", "fits and"), HasSubstr(at(":7: explore.constraints") + "wanted"));
  EXPECT_THAT(
      of("workload.type", "fits"),
      HasSubstr(at(":5: explore") + "wanted numbers as objectives, found \"workload.type\""));
  EXPECT_THAT(of("time.secunds", "fits"),
              HasSubstr(at(":5: explore") + "wanted keys of the result"));
}

TEST_F(NamedFiles, ATreeThatIsGoneIsNamed) {
  const std::string config = smallRun();
  const std::vector<std::string> elsewhere = {"env", "-C", folder().string(),
                                              "IPUSIM_HOME=/nowhere"};
  const Finished finished = IpusimProcess(folder(), elsewhere, {"run", config}).wait();
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.err, config +
                              ":1: machine: wanted a path (there are no presets: none in "
                              "configs/machines, /nowhere/configs/machines), found \"toy\"\n");
}

}  // namespace
}  // namespace ipusim::cli
