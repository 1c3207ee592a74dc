// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/cli/cli_test_base.h"
#include "tests/support/sanitizer.h"

namespace ipusim::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using Commands = CliTest;

TEST_F(Commands, HelpHasExamplesAndExitCodes) {
  const Finished finished = run({"--help"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_THAT(finished.out, HasSubstr("Examples:\n  ipusim run configs/runs/quickstart.toml"));
  EXPECT_THAT(finished.out, HasSubstr("Exit codes: 0 done"));
  EXPECT_EQ(finished.err, "");
}

TEST_F(Commands, EachCommandHasHelpWithExamples) {
  for (const char* command : {"run", "check", "sweep", "validate", "calibrate", "list"}) {
    const Finished finished = run({command, "--help"});
    EXPECT_EQ(finished.exit_code, 0);
    EXPECT_THAT(finished.out, HasSubstr("Examples:\n  ipusim " + std::string(command)));
  }
}

TEST_F(Commands, VersionIsOneLine) {
  EXPECT_THAT(run({"--version"}).out, testing::MatchesRegex("ipusim [0-9.]+ \\([0-9a-z.-]+\\)\n"));
}

TEST_F(Commands, ListNamesWhatThereIs) {
  EXPECT_THAT(run({"list", "machines"}).out, HasSubstr("gc200 "));
  EXPECT_THAT(
      run({"list", "gpus"}).out,
      HasSubstr("a30      56 multiprocessors, 10.3 TFLOP/s FP32, 82.6 TFLOP/s TF32, 24 GiB"));
  EXPECT_THAT(run({"list", "workloads"}).out, HasSubstr("matmul "));
  EXPECT_THAT(run({"list", "codelets"}).out, HasSubstr("amp "));
}

TEST_F(Commands, ListPrintsTheLinksOfASystemForSimGrid) {
  EXPECT_THAT(run({"list", "systems", "--simgrid", "m2000"}).out,
              HasSubstr("<zone id=\"m2000\" routing=\"Full\">\n    <host id=\"ipu0\""));
}

TEST_F(Commands, CheckSaysThatTheNumbersAreRight) {
  const std::string config = write("product.toml",
                                   "machine = \"toy\"\n[workload]\nkind = \"matmul\"\n"
                                   "m = 12\nk = 20\nn = 9\noperands = \"linear\"\n");
  const Finished finished = run({"check", config});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, StartsWith("matmul on toy: the numbers are right\n"));
  EXPECT_THAT(finished.out, HasSubstr("108 elements"));
  for (const char* jobs : {"1", "3"}) {
    EXPECT_EQ(run({"check", config, "--jobs", jobs}).out, finished.out);
    EXPECT_EQ(run({"check", config, "--jobs", jobs, "--strict"}).out, finished.out);
  }
}

/// A launcher that limits the memory of a process.
std::vector<std::string> within(const std::string& bytes) {
  return {"prlimit", "--as=" + bytes};
}

// The three matrices of the run are 3.2 GB.
TEST_F(Commands, CheckLooksWhetherItFitsBeforeItFillsMemory) {
  if (kHasAddressSanitizer) GTEST_SKIP() << "the sanitizer takes terabytes of addresses";
  const std::string config = write("product.toml",
                                   "machine = \"toy\"\n[workload]\nkind = \"matmul\"\n"
                                   "m = 16384\nk = 16384\nn = 16384\n");
  const Finished finished = IpusimProcess(folder(), within("800000000"), {"check", config}).wait();
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, StartsWith("matmul on toy: it does not fit, so that there are no "
                                       "numbers: tile "));
}

// A list of the 2^28 look-ups would be 2 GB.
TEST_F(Commands, TablesOfARunAreFormulasAndTakeNoMemory) {
  if (kHasAddressSanitizer) GTEST_SKIP() << "the sanitizer takes terabytes of addresses";
  const Finished finished =
      IpusimProcess(folder(), within("800000000"),
                    {"run", "configs/runs/circulant.toml", "--engine", "closed-form", "--set",
                     "workload.features=16384", "--set", "workload.dense=no"})
          .wait();
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, StartsWith("circulant on gc200: it DOES NOT FIT"));
}

// The run fits the chip, but its numbers take 2 GB on this computer.
TEST_F(Commands, CheckNamesTheSizeThatTakesTooMuchMemory) {
  if (kHasAddressSanitizer) GTEST_SKIP() << "the sanitizer takes terabytes of addresses";
  const Finished finished =
      IpusimProcess(folder(), within("800000000"), {"check", "configs/runs/stream.toml"}).wait();
  EXPECT_EQ(finished.exit_code, 2) << finished.out;
  EXPECT_THAT(finished.err, HasSubstr("workload.elements: wanted sizes that take no more than the "
                                      "memory of this computer, found 32000000"));
}

TEST_F(Commands, CheckIsOfAnIpu) {
  const Finished finished = run({"check", "configs/gpu_runs/product.toml"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("product.toml:3: gpu: wanted an IPU (machine and workload)"));
}

TEST_F(Commands, HelpOfValidateNamesEachFormOfAMetric) {
  const Finished finished = run({"validate", "--help"});
  for (const char* form : {"A / B", "ratio(METRIC | key=value)", "A where B < NUMBER"}) {
    EXPECT_THAT(finished.out, HasSubstr(form));
  }
}

TEST_F(Commands, SweepWritesItsTable) {
  (void)smallRun();
  const std::string sweep =
      write("sweep.toml", "run = \"run.toml\"\n[axes]\nworkload.elements = [0, 16, 100000]\n");
  const Finished finished = run({"sweep", sweep, "--out", (folder() / "out").string()});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_THAT(finished.out, HasSubstr("results.csv: 3 points: 1 ok, 1 do not fit, 1 invalid"));
  EXPECT_THAT(finished.err, testing::MatchesRegex("ipusim: 3 points in .* points/s\n"));
  EXPECT_THAT(textOf(folder() / "out" / "results.csv"), HasSubstr("\n16,ok,"));
}

TEST_F(Commands, ASweepWithoutAValidPointSaysWhy) {
  (void)smallRun();
  const std::string sweep =
      write("sweep.toml", "run = \"run.toml\"\n[axes]\nworkload.elemnts = [16, 32]\n");
  const Finished finished = run({"sweep", sweep, "--out", (folder() / "out").string()});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("ipusim: no point is valid; point 0: "));
  EXPECT_THAT(finished.err, HasSubstr("workload.elemnts"));
}

}  // namespace
}  // namespace ipusim::cli
