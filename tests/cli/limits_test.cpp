// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "sim/studies/sweep/sweep_store.h"
#include "tests/cli/cli_test_base.h"

namespace ipusim::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;
using Clock = std::chrono::steady_clock;

/// A run of more than ten seconds, most of which the compiler takes. Its estimate is near that.
constexpr const char* kLongRun = R"(machine = "gc200"
[workload]
kind = "pixelfly"
features = 4096
block = 32
rank = 4
batch = 4096
type = "half"
)";

std::ptrdiff_t linesOf(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

class Limits : public CliTest {
 protected:
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
  // The estimate of a small run is some megabytes, which is no proof that it needs five.
  const std::string line = refused({"run", smallRun(), "--max-memory", "5M", "--out", "out"});
  EXPECT_THAT(line, StartsWith("--max-memory: wanted "));
  EXPECT_FALSE(fs::exists(folder() / "out" / "result.json"));
}

TEST_F(Limits, OfTimeEndARunWhileItIsCompiled) {
  const auto begin = Clock::now();
  const std::string line = refused({"run", write("long.toml", kLongRun), "--max-time", "6s"});
  EXPECT_THAT(line, StartsWith("--max-time: wanted a run within 6.00 s, found it unfinished ("));
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(8));
}

TEST_F(Limits, RefuseARunThatIsSurelyOverThem) {
  const std::string config = write("long.toml", kLongRun);
  EXPECT_THAT(refused({"run", config, "--max-time", "0.1s"}),
              StartsWith("--max-time: wanted a run within the limit, found one that would take "));
}

TEST_F(Limits, AreNotNeededToInterruptACompilation) {
  const IpusimProcess process(folder(), {"run", write("long.toml", kLongRun)});
  std::this_thread::sleep_for(std::chrono::seconds(2));
  const auto begin = Clock::now();
  process.interrupt();
  EXPECT_EQ(const_cast<IpusimProcess&>(process).wait().exit_code, 130);
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(1));
}

}  // namespace
}  // namespace ipusim::cli
