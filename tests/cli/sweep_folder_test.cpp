// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/cli/sweep_cli_test.h"

// Other users change the folder of a sweep.

namespace ipusim::cli {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class SweepFolder : public SweepCliTest {
 protected:
  /// Runs the program where the folder is on a file system that is mounted read-only.
  [[nodiscard]] Finished onReadOnlyFileSystem(const std::vector<std::string>& arguments) const {
    return IpusimProcess(folder(),
                         {"unshare", "--mount", "--map-root-user", "sh", "-c",
                          "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\" && "
                          "exec \"$@\"",
                          out()},
                         arguments)
        .wait();
  }
  [[nodiscard]] bool canMount() const { return onReadOnlyFileSystem({"--version"}).exit_code == 0; }
  /// A sweep in which each point has one row, with names that are texts.
  [[nodiscard]] std::string named(const std::string& names) const {
    (void)smallRun();
    return write("sweep.toml", "run = \"run.toml\"\n[axes]\nmachine.name = [" + names + "]\n");
  }
};

void expectOneLineOfSweep(const Finished& finished, const std::string& part) {
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.out, "");
  EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
  EXPECT_THAT(finished.err, HasSubstr(part));
}

TEST_F(SweepFolder, ThatIsRemovedEndsTheSweepAtTheNextPoint) {
  (void)smallRun();
  const std::string sweep = write("sweep.toml",
                                  "run = \"run.toml\"\n[axes]\nmachine.tiles = {from = 4, to = "
                                  "1400, count = 1397}\nworkload.type = [\"half\", \"float\"]\n");
  IpusimProcess process(folder(), {"sweep", sweep, "--out", out()});
  ASSERT_TRUE(comesTrue([&] { return isUnderWay(out()); }));
  fs::remove_all(out());
  expectOneLineOfSweep(process.wait(),
                       "sweep.sqlite: wanted the store of this sweep, found it removed");
}

TEST_F(SweepFolder, ThatIsRemovedEndsASearchAtTheNextPoint) {
  (void)smallRun();
  const std::string sweep =
      write("sweep.toml",
            "run = \"run.toml\"\n[axes]\nmachine.tiles = {from = 4, to = 1400, count = 1397}\n"
            "workload.elements = {from = 1, to = 3000}\n[explore]\nminimize = [\"machine.tiles\"]\n"
            "maximize = [\"workload.elements\"]\nevaluations = 4000\n");
  IpusimProcess process(folder(), {"explore", sweep, "--out", out()});
  ASSERT_TRUE(comesTrue([&] { return isUnderWay(out()); }));
  fs::remove_all(out());
  expectOneLineOfSweep(process.wait(),
                       "sweep.sqlite: wanted the store of this sweep, found it removed");
}

TEST_F(SweepFolder, HasNoStoreBehindALink) {
  const std::string target = write("target", "");
  fs::create_directories(out());
  fs::create_symlink(target, fs::path(out()) / "sweep.sqlite");
  expectOneLineOfSweep(run({"sweep", named("\"a\""), "--out", out()}),
                       "sweep.sqlite: wanted a regular file or nothing there, found: a link");
  EXPECT_EQ(textOf(target), "");
}

TEST_F(SweepFolder, HasNoTableBehindALinkAndSaysSoBeforeTheWork) {
  const std::string target = write("target", "");
  fs::create_directories(out());
  fs::create_symlink(target, fs::path(out()) / "results.csv");
  expectOneLineOfSweep(run({"sweep", named("\"a\""), "--out", out()}),
                       "results.csv: wanted a regular file or nothing there, found: a link");
  EXPECT_FALSE(fs::exists(fs::path(out()) / "sweep.sqlite"));
}

TEST_F(SweepFolder, HasNoControlCharactersInItsTable) {
  const Finished finished =
      run({"sweep", named(R"("a\u001b[2Jb", "c\u0000d", "e\r\u009bf")"), "--out", out()});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  const std::string text = table();
  const auto is_control = [](char c) {
    return c != '\n' && (static_cast<unsigned char>(c) < 0x20 || c == '\x7f');
  };
  EXPECT_TRUE(std::none_of(text.begin(), text.end(), is_control));
  EXPECT_THAT(text, AllOf(HasSubstr("\na\\x1b[2Jb,ok"), HasSubstr("\nc\\x00d,ok"),
                          HasSubstr("\ne\\r\\xc2\\x9bf,ok")));
}

TEST_F(SweepFolder, ADryRunShowsNoControlCharacters) {
  const std::string points = run({"sweep", named(R"("a\u009b")"), "--out", out(), "--dry-run"}).out;
  EXPECT_EQ(points, "machine.name=\"a\\xc2\\x9b\"\n");
}

TEST_F(SweepFolder, OnAReadOnlyFileSystemIsToldWithAWayOut) {
  fs::create_directories(out());
  if (!canMount()) GTEST_SKIP() << "nothing can be mounted here";
  const std::string sweep = named("\"a\"");
  const std::string found = "wanted a folder to write to, found: Read-only file system; ";
  expectOneLineOfSweep(onReadOnlyFileSystem({"sweep", sweep, "--out", out()}),
                       found + "name another");
  ASSERT_EQ(run({"sweep", sweep, "--out", out()}).exit_code, 0);
  expectOneLineOfSweep(onReadOnlyFileSystem({"sweep", sweep, "--out", out()}),
                       found + "name another");
  expectOneLineOfSweep(onReadOnlyFileSystem({"merge", out(), "--out", out("merged")}),
                       found + "copy it");
}

}  // namespace
}  // namespace ipusim::cli
