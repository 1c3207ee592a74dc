// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/cli/cli_test_base.h"

// Errors that the user can mend give exit code 2, one line on standard error with the place, and
// nothing on standard output.

namespace ipusim::cli {
namespace {

using testing::HasSubstr;

void expectOneLine(const Finished& finished, const std::string& part) {
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.out, "");
  EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
  EXPECT_THAT(finished.err, HasSubstr(part));
  EXPECT_LT(finished.err.size(), 400U) << finished.err;
}

struct BrokenConfig {
  const char* name;
  const char* text;
  const char* message;
};

class BrokenConfigs : public CliTest, public testing::WithParamInterface<BrokenConfig> {};

TEST_P(BrokenConfigs, EndInOneLine) {
  expectOneLine(run({"run", write("broken.toml", GetParam().text)}), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, BrokenConfigs,
    testing::Values(
        BrokenConfig{"Empty", "", "broken.toml:1: machine: wanted one of"},
        BrokenConfig{"NoToml", "machine = = 3\n", "broken.toml:1"},
        BrokenConfig{"RepeatedKey", "machine = \"toy\"\nmachine = \"bow\"\n", "broken.toml:2"},
        BrokenConfig{"UnknownMachine", "machine = \"bo\"\n", "(did you mean bow?)"},
        BrokenConfig{"MachineOfAnotherType", "machine = 4\n", "found 4"},
        BrokenConfig{"NoWorkload", "machine = \"toy\"\n", "workload: wanted a table"},
        BrokenConfig{"WorkloadIsNoTable", "machine = \"toy\"\nworkload = 3\n", "workload: wanted"},
        BrokenConfig{"UnknownKind", "machine = \"toy\"\n[workload]\nkind = \"matmull\"\n",
                     "broken.toml:3: workload.kind: wanted one of"},
        BrokenConfig{"MissingSize",
                     "machine = \"toy\"\n[workload]\nkind = \"matmul\"\nm = 4\nn = 4\n",
                     "workload.k: wanted a whole number"},
        BrokenConfig{"NegativeSize",
                     "machine = \"toy\"\n[workload]\nkind = \"matmul\"\nm = -4\nk = 4\nn = 4\n",
                     "broken.toml:4: workload.m: wanted a whole number in"},
        BrokenConfig{"RealSize",
                     "machine = \"toy\"\n[workload]\nkind = \"matmul\"\nm = 4.5\nk = 4\nn = 4\n",
                     "workload.m: wanted a whole number in"},
        BrokenConfig{"MisspeltKey",
                     "machine = \"toy\"\n[workload]\nkind = \"matmul\"\nm = 4\nk = 4\nn = 4\n"
                     "tpye = \"float\"\n",
                     "workload.tpye: wanted type, found the unknown key"},
        BrokenConfig{"SparseFileAndDensity",
                     "machine = \"toy\"\n[workload]\nkind = \"sparse_matmul\"\nn = 4\n"
                     "file = \"tests/ops/data/arrow.mtx\"\ndensity = 0.5\n",
                     "broken.toml:6: workload.density: wanted no such key beside file"},
        BrokenConfig{"SparseRaggedBlocks",
                     "machine = \"toy\"\n[workload]\nkind = \"sparse_matmul\"\nm = 8\nk = 6\n"
                     "n = 4\ndensity = 0.5\nblock = 4\n",
                     "broken.toml:5: workload.k: wanted a multiple of block = 4, found 6"},
        BrokenConfig{"SparseOddBlock",
                     "machine = \"toy\"\n[workload]\nkind = \"sparse_matmul\"\nm = 8\nk = 6\n"
                     "n = 4\ndensity = 0.5\nblock = 2\n",
                     "workload.block: wanted one of 1, 4, 8, 16, found 2"},
        BrokenConfig{"SparseNothing",
                     "machine = \"toy\"\n[workload]\nkind = \"sparse_matmul\"\nm = 8\nk = 6\n"
                     "n = 4\ndensity = 0.001\n",
                     "workload.density: wanted enough for one block that is not zero"},
        BrokenConfig{"SparseNoFile",
                     "machine = \"toy\"\n[workload]\nkind = \"sparse_matmul\"\nn = 4\n"
                     "file = \"no.mtx\"\n",
                     "no.mtx"},
        BrokenConfig{"SparseFileWithoutAnEnd",
                     "machine = \"toy\"\n[workload]\nkind = \"sparse_matmul\"\nn = 4\n"
                     "file = \"/dev/zero\"\n",
                     "/dev/zero:1: wanted lines of at most 1024 characters"},
        BrokenConfig{"WorkThat64BitsDoNotCount",
                     "machine = \"toy\"\n[workload]\nkind = \"shl_training\"\nhidden = \"linear\"\n"
                     "features = 64\nsteps = 1_000_000\nepochs = 16_777_216\n",
                     "broken.toml:7: workload.epochs: wanted sizes whose work, bytes and cycles 64 "
                     "bits can count, found 16777216"},
        BrokenConfig{"VertexLargerThanAnyTile",
                     "machine = \"toy\"\n[workload]\nkind = \"codelet\"\ncodelet = \"copy\"\n"
                     "type = \"float\"\nelements = 16777216\nruns = 1000\n",
                     "workload.elements: wanted sizes of a vertex with at most 1 GiB of data"},
        BrokenConfig{"SparseHalfPartials",
                     "machine = \"toy\"\n[workload]\nkind = \"sparse_matmul\"\nm = 8\nk = 8\n"
                     "n = 4\ndensity = 0.5\npartials_type = \"half\"\n",
                     "workload.partials_type: wanted \"float\" with float operands"},
        BrokenConfig{"UnknownTable",
                     "machine = \"toy\"\n[workload]\nkind = \"matmul\"\nm = 4\nk = 4\nn = 4\n"
                     "[comparison]\ngpu = \"a30\"\n",
                     "comparison: wanted"},
        BrokenConfig{"UnknownMachineKey",
                     "[machine]\nbase = \"toy\"\ntyles = 3\n[workload]\nkind = \"matmul\"\n",
                     "machine.tyles: wanted tiles"},
        BrokenConfig{"TileTwice",
                     "machine = \"toy\"\n[workload]\nkind = \"codelet\"\ncodelet = \"copy\"\n"
                     "type = \"float\"\nelements = 4\ntiles = [1, 1]\n",
                     "workload.tiles: wanted each tile once"}),
    [](const auto& test) { return test.param.name; });

struct BrokenLine {
  const char* name;
  std::vector<std::string> arguments;
  const char* message;
};

class BrokenCommandLines : public CliTest, public testing::WithParamInterface<BrokenLine> {};

TEST_P(BrokenCommandLines, EndInOneLine) {
  std::vector<std::string> arguments = GetParam().arguments;
  const std::string config = smallRun();
  std::replace(arguments.begin(), arguments.end(), std::string("CONFIG"), config);
  expectOneLine(run(arguments), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, BrokenCommandLines,
    testing::Values(
        BrokenLine{
            "Nothing",
            {},
            "wanted a command (run, check, sweep, explore, merge, validate, calibrate, "
            "reproduce, trace, diff, redistribute, poplar, list, new, generate), found none"},
        BrokenLine{"UnknownCommand", {"rnu", "CONFIG"}, "found \"rnu\" (did you mean run?)"},
        BrokenLine{
            "UnknownSubcommand",
            {"poplar", "rnu", "double.cpp"},
            "ipusim poplar: wanted a command (build, run, replay), found \"rnu\" (did you mean "
            "run?); see ipusim poplar --help"},
        BrokenLine{"NoSubcommand", {"poplar"}, "wanted a command (build, run, replay), found none"},
        BrokenLine{"CommandAsASubcommand", {"trace", "run", "CONFIG"}, "found \"run\""},
        BrokenLine{"UnknownTraceSubcommand", {"trace", "rceord"}, "(did you mean record?)"},
        BrokenLine{"UnknownOption", {"run", "CONFIG", "--jsn"}, "--jsn"},
        BrokenLine{"OptionBeforeTheCommand", {"--jsn", "run", "CONFIG"}, "found \"--jsn\""},
        BrokenLine{"NoConfig", {"run"}, "wanted CONFIG, found none; see ipusim run --help"},
        BrokenLine{"TwoConfigs", {"run", "CONFIG", "CONFIG"}, "run.toml"},
        BrokenLine{"NoSuchFile", {"run", "nowhere.toml"}, "nowhere.toml"},
        BrokenLine{"AFolder", {"run", "/tmp"}, "/tmp"},
        BrokenLine{"SetWithoutValue", {"run", "CONFIG", "--set", "workload.m"}, "found no ="},
        BrokenLine{"SetWithoutAnything", {"run", "CONFIG", "--set"}, "--set"},
        BrokenLine{"SetOfAnUnknownKey",
                   {"run", "CONFIG", "--set", "workload.elemnts=3"},
                   "wanted elements, found the unknown key"},
        BrokenLine{"SetOfABadValue",
                   {"run", "CONFIG", "--set", "workload.elements=many"},
                   "--set workload.elements: wanted a whole number"},
        BrokenLine{"UnknownEngine",
                   {"run", "CONFIG", "--engine", "closedform"},
                   "(did you mean closed-form?)"},
        BrokenLine{"TimeOfASubcommand",
                   {"trace", "info", "CONFIG", "--max-time", "x"},
                   "ipusim trace info: --max-time: wanted a duration as 30s, 10m or 2h, found "
                   "\"x\"; see ipusim trace info --help"},
        BrokenLine{
            "TimeoutOfLetters",
            {"sweep", "CONFIG", "--out", "unused", "--timeout", "abc"},
            "--timeout: wanted a number of seconds above 0, found \"abc\"; see ipusim sweep "},
        BrokenLine{"TimeoutThatIsNoNumber",
                   {"sweep", "CONFIG", "--out", "unused", "--timeout", "nan"},
                   "found \"nan\""},
        BrokenLine{"TimeoutWithoutEnd",
                   {"explore", "CONFIG", "--out", "unused", "--timeout", "inf"},
                   "found \"inf\""},
        BrokenLine{"TimeoutBelowZero",
                   {"sweep", "CONFIG", "--out", "unused", "--timeout=-1"},
                   "found \"-1\""},
        BrokenLine{"TimeoutOfNothing",
                   {"sweep", "CONFIG", "--out", "unused", "--timeout", "0"},
                   "found \"0\""},
        BrokenLine{"TimeoutBeyondAllNumbers",
                   {"sweep", "CONFIG", "--out", "unused", "--timeout", "1e400"},
                   "found \"1e400\""},
        BrokenLine{"TimeoutThatIsEmpty",
                   {"sweep", "CONFIG", "--out", "unused", "--timeout="},
                   "--timeout"},
        BrokenLine{"TimeoutWithAUnit",
                   {"sweep", "CONFIG", "--out", "unused", "--timeout", "3s"},
                   "found \"3s\""},
        BrokenLine{"JobsOfLetters",
                   {"sweep", "CONFIG", "--out", "unused", "--jobs", "many"},
                   "--jobs: wanted a whole number in [1, 1024], found \"many\""},
        BrokenLine{"NoJobs", {"sweep", "CONFIG", "--out", "unused", "--jobs", "0"}, "found \"0\""},
        BrokenLine{"NoThreads",
                   {"check", "CONFIG", "--jobs", "0"},
                   "--jobs: wanted a whole number in [1, 1024], found \"0\""},
        BrokenLine{
            "JobsBelowZero", {"explore", "CONFIG", "--out", "unused", "--jobs=-1"}, "found \"-1\""},
        BrokenLine{"JobsBeyondAllNumbers",
                   {"sweep", "CONFIG", "--out", "unused", "--jobs", "18446744073709551617"},
                   "found \"18446744073709551617\""},
        BrokenLine{
            "HalfAJob", {"sweep", "CONFIG", "--out", "unused", "--jobs", "1.5"}, "found \"1.5\""},
        BrokenLine{"SweepWithoutOut", {"sweep", "CONFIG"}, "wanted --out, found none"},
        BrokenLine{"SweepOfARunConfig",
                   {"sweep", "CONFIG", "--out", "unused"},
                   "machine: wanted no key but run, axes, zip, where"},
        BrokenLine{"ValidateInTwoForms", {"validate", "--json", "--markdown"}, "excludes --"},
        BrokenLine{"ValidateOfARunConfig",
                   {"validate", "--measurements", "CONFIG"},
                   "run.toml:1: cell 1: wanted quotes around"},
        BrokenLine{"MeasurementsNowhere",
                   {"validate", "--measurements", "nowhere.csv"},
                   "\"nowhere.csv\": wanted a file"},
        BrokenLine{"MergeOfNothing", {"merge", "--out", "x"}, "wanted DIR, found none"},
        BrokenLine{"TooManyWords",
                   {"run", "CONFIG", "more"},
                   "wanted no further argument, found \"more\""},
        BrokenLine{"ListOfNothing", {"list"}, "wanted WHAT, found none"},
        BrokenLine{"PlatformOfAMachine",
                   {"list", "machines", "--simgrid", "pod16"},
                   "--simgrid: wanted systems before it, found \"machines\""},
        BrokenLine{"ListOfTheUnknown", {"list", "machine"}, "(did you mean machines?)"},
        BrokenLine{"CheckWithoutReference", {"check", "CONFIG"}, "workload.kind: wanted"}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace ipusim::cli
