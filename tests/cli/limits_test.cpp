// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "tests/cli/cli_test_base.h"
#include "tests/support/sanitizer.h"

namespace ipusim::cli {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using Clock = std::chrono::steady_clock;

/// A run of a second or two and 450 MB, nearly all of which the compiler takes. Its estimate is far
/// lower, so that no limit refuses it.
const std::vector<std::string> kUnderestimated = {
    "run",   "configs/runs/matmul.toml", "--set", "workload.variant=naive",
    "--set", "workload.m=1536",          "--set", "workload.k=1536",
    "--set", "workload.n=1536"};

std::vector<std::string> with(std::vector<std::string> words,
                              const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::ptrdiff_t linesOf(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

class Limits : public CliTest {
 protected:
  [[nodiscard]] std::string out() const { return (folder() / "out").string(); }
  /// Runs `words` and expects one line and exit code 2. Returns the line.
  [[nodiscard]] std::string refused(const std::vector<std::string>& words) const {
    const Finished finished = run(words);
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_EQ(finished.out, "");
    EXPECT_EQ(linesOf(finished.err), 1) << finished.err;
    return finished.err;
  }
};

TEST_F(Limits, OfNoSizeAreErrors) {
  for (const char* size : {"", "4", "G", "-1G", "0M", "1e999G", "nanG", "4GB", "4 G", "many"}) {
    EXPECT_EQ(refused({"run", smallRun(), "--max-memory", size}),
              "ipusim run: --max-memory: wanted a size as 4G or 512M, found \"" +
                  std::string(size) + "\"; see ipusim run --help\n");
  }
}

TEST_F(Limits, OfTheSystemOnMemoryAreAnErrorOfOneLine) {
  if (kHasAddressSanitizer) GTEST_SKIP() << "the sanitizer needs all addresses";
  for (const char* kibibytes : {"250000", "350000", "450000"}) {
    const std::vector<std::string> limited = {
        "/bin/bash", "-c", std::string("ulimit -v ") + kibibytes + "; exec \"$@\"", "sh"};
    const Finished finished = IpusimProcess(folder(), limited, kUnderestimated).wait();
    EXPECT_EQ(finished.exit_code, 2) << kibibytes << ": " << finished.err;
    EXPECT_EQ(linesOf(finished.err), 1) << finished.err;
  }
}

TEST_F(Limits, HoldForCommandsOnTraces) {
  const std::string small = smallRun();
  const std::string out = this->out();
  const std::vector<std::vector<std::string>> commands = {
      {"trace", "export", "--chakra", small, "-o", out},
      {"trace", "diff", small, small},
      {"trace", "record", small, "-o", out},
      {"trace", "info", "configs/traces/squares.ipt"},
      {"trace", "check", "configs/traces/squares.ipt"},
      {"trace", "transform", "configs/traces/squares.ipt", "--half", "-o", out}};
  for (const std::vector<std::string>& command : commands) {
    EXPECT_THAT(refused(with(command, {"--max-time", "30"})),
                HasSubstr("--max-time: wanted a duration as 30s, 10m or 2h, found \"30\""));
    EXPECT_EQ(run(with(command, {"--max-time", "1h", "--max-memory", "4G"})).exit_code, 0);
  }
}

/// Configs whose graphs take tens or hundreds of gigabytes to build: what announces them is a
/// formula.
const std::vector<std::vector<std::string>> kTooLargeToBuild = {
    {"configs/runs/pixelfly.toml", "--set", "workload.features=65536"},
    {"configs/runs/pixelfly.toml", "--set", "workload.features=65536", "--set", "workload.batch=64",
     "--set", "workload.block=4"},
    {"configs/runs/fastfood.toml", "--set", "workload.features=65536", "--set",
     "workload.batch=65536"},
    {"configs/runs/shl_training_fastfood.toml", "--set", "workload.features=65536", "--set",
     "workload.batch=65536"},
    {"configs/runs/shl_training_pixelfly.toml", "--set", "workload.features=65536"},
    {"configs/runs/pod_all_reduce.toml", "--set", "machine=pod256"}};

TEST_F(Limits, RefuseAGraphBeforeItIsBuilt) {
  for (const std::vector<std::string>& config : kTooLargeToBuild) {
    for (const char* command : {"run", "check"}) {
      EXPECT_THAT(refused(with(with({command}, config), {"--max-memory", "4G"})),
                  StartsWith("--max-memory: wanted a run within the limit, found one that would"));
    }
  }
  const std::string text =
      write("joined.toml",
            "machine = \"toy\"\n[workload]\nkind = \"network\"\ninput = [4]\nbatch = 1\n"
            "layers = \"repeat 25 { save a; concat a }\"\n");
  EXPECT_THAT(refused({"run", text, "--max-memory", "4G"}), HasSubstr("would take about"));
}

TEST_F(Limits, HoldForRandomRedistributions) {
  const std::vector<std::string> cases = {"redistribute", "configs/redistributions/random.toml",
                                          "--set", "redistribution.random_cases=100000"};
  EXPECT_THAT(refused(with(cases, {"--max-time", "0.05s"})), HasSubstr("unfinished (planning)"));
  EXPECT_THAT(refused(with(cases, {"--max-time", "3s"})),
              StartsWith("--max-time: wanted a study within the limit, found one that would take"));
}

TEST_F(Limits, EndACommandOnTracesThatTakesTooMuch) {
  std::vector<std::string> program(kUnderestimated.begin() + 1, kUnderestimated.end());
  const std::vector<std::string> command =
      with({"trace", "export", "--chakra", "-o", out()}, program);
  EXPECT_THAT(refused(with(command, {"--max-memory", "150M"})),
              StartsWith("--max-memory: wanted a run within 150 MB"));
  EXPECT_THAT(refused(with(command, {"--max-time", "0.05s"})),
              StartsWith("--max-time: wanted a run within"));
}

TEST_F(Limits, OfNoDurationAreErrors) {
  for (const char* duration : {"", "30", "s", "-1s", "0s", "infs", "1d", "1 h"}) {
    EXPECT_EQ(refused({"check", smallRun(), "--max-time", duration}),
              "ipusim check: --max-time: wanted a duration as 30s, 10m or 2h, found \"" +
                  std::string(duration) + "\"; see ipusim check --help\n");
  }
}

TEST_F(Limits, OfARunWithinThemChangeNothing) {
  const Finished limited =
      run({"run", smallRun(), "--json", "--max-time", "2h", "--max-memory", "1T"});
  EXPECT_EQ(limited.exit_code, 0);
  EXPECT_EQ(limited.err, "");
  EXPECT_EQ(limited.out, run({"run", smallRun(), "--json"}).out);
}

TEST_F(Limits, OfMemoryEndARunInOneLine) {
  EXPECT_THAT(refused(with(kUnderestimated, {"--max-memory", "150M", "--out", out()})),
              StartsWith("--max-memory: wanted a run within 150 MB, found it to need more ("));
  EXPECT_TRUE(fs::is_empty(folder() / "out"));
}

TEST_F(Limits, OfTimeEndARunWhileItIsCompiled) {
  EXPECT_THAT(refused(with(kUnderestimated, {"--max-time", "0.3s"})),
              StartsWith("--max-time: wanted a run within 0.300 s, found it unfinished ("));
}

TEST_F(Limits, EndACheckToo) {
  EXPECT_THAT(refused({"check", "configs/runs/quickstart.toml", "--max-memory", "500M"}),
              StartsWith("--max-memory: wanted a run within 500 MB, found it to need more ("));
}

TEST_F(Limits, RefuseARunThatIsSurelyOverThem) {
  if (kHasAddressSanitizer) GTEST_SKIP() << "the sanitizer alone takes more than the limits";
  const std::vector<std::string> large = {"run", "configs/runs/matmul.toml", "--set",
                                          "machine.tiles=65536"};
  const std::string begin = ": wanted a run within the limit, found one that would take about ";
  EXPECT_THAT(refused(with(large, {"--max-time", "3s"})),
              AllOf(StartsWith("--max-time" + begin), HasSubstr(" s, more than 3.00 s; ")));
  EXPECT_THAT(refused(with(large, {"--max-memory", "500M"})),
              AllOf(StartsWith("--max-memory" + begin), HasSubstr("B, more than 500 MB; ")));
}

TEST_F(Limits, AreAdvisedBeforeAnExpensiveRun) {
  IpusimProcess process(
      folder(), {"run", "configs/runs/matmul.toml", "--set", "machine.tiles=65536", "--set",
                 "workload.variant=blocked", "--set", "workload.m=4096", "--set", "workload.k=4096",
                 "--set", "workload.n=64"});
  const auto deadline = Clock::now() + std::chrono::seconds(60);
  while (textOf(folder() / "stderr.txt").empty() && Clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  process.interrupt();
  const Finished finished = process.wait();
  EXPECT_EQ(finished.exit_code, 130);  // it went on
  EXPECT_THAT(finished.err, AllOf(StartsWith("ipusim: this run will take about "),
                                  HasSubstr(" of this computer, within a factor of 2: ")));
  EXPECT_EQ(linesOf(finished.err), 1);
}

TEST_F(Limits, AreNotNeededToInterruptACompilation) {
  IpusimProcess process(folder(), kUnderestimated);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const auto begin = Clock::now();
  process.interrupt();
  EXPECT_EQ(process.wait().exit_code, 130);
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(1));
}

TEST_F(Limits, OfAPointLetASearchGoOn) {
  if (kHasAddressSanitizer) GTEST_SKIP() << "the sanitizer alone takes more than the limits";
  const std::string space = write("space.toml", R"(run = "run.toml"
[axes]
workload.variant = ["naive", "poplin"]
workload.m = [64, 1536]
[explore]
minimize = ["time.seconds", "memory.max_tile_bytes"]
population = 8
evaluations = 8
)");
  (void)write("run.toml", R"(machine = "gc200"
[workload]
kind = "matmul"
m = 64
k = 1536
n = 1536
type = "float"
)");
  const Finished finished = run({"explore", space, "--out", out(), "--max-memory", "150M"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  const std::string table = textOf(folder() / "out" / "results.csv");
  EXPECT_THAT(table, HasSubstr("naive,1536,failed: memory: it took more than 150 MB"));
  EXPECT_THAT(table, HasSubstr("poplin,64,ok"));
}

}  // namespace
}  // namespace ipusim::cli
