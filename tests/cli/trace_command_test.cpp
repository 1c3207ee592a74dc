// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/cli/cli_test_base.h"

namespace ipusim::cli {
namespace {

using testing::HasSubstr;

class TraceCommand : public CliTest {
 protected:
  /// Records the small run as a file of that name.
  [[nodiscard]] std::string record(const std::string& name) const {
    std::string file = (folder() / name).string();
    const Finished done = run({"trace", "record", smallRun(), "-o", file});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(done.out, "");
    return file;
  }
};

TEST_F(TraceCommand, RecordsWhatRunRuns) {
  const std::string config = write(
      "trace.toml", "machine = \"toy\"\n[workload]\nkind = \"trace\"\nfile = \"run.ipt.zst\"\n");
  static_cast<void>(record("run.ipt.zst"));
  const Finished of_trace = run({"run", config});
  EXPECT_EQ(of_trace.exit_code, 0) << of_trace.err;
  EXPECT_THAT(of_trace.out, HasSubstr("trace on toy: it fits"));
}

TEST_F(TraceCommand, SaysWhatATraceHolds) {
  const Finished info = run({"trace", "info", record("run.ipt.gz")});
  EXPECT_EQ(info.exit_code, 0);
  EXPECT_THAT(info.out, HasSubstr("workload        codelet\n"));
  EXPECT_THAT(info.out, HasSubstr("vertices        1\n"));
  EXPECT_THAT(info.out, HasSubstr("steps           1\n"));
  const Finished json = run({"trace", "info", record("run.ipt"), "--json"});
  EXPECT_THAT(json.out, HasSubstr("\"workload\": \"codelet\""));
  EXPECT_THAT(json.out, HasSubstr("\"compute_sets\": 1,"));
}

TEST_F(TraceCommand, CountsTheStepsThatAProgramIsWrittenWith) {
  const std::string file =
      write("t.ipt",
            "{\"ipt\": 1}\n"
            "{\"variable\": \"x\", \"elements\": 8, \"lifetime\": \"always\", \"tiles\": \"0\"}\n"
            "{\"copy\": \"c\", \"from\": [\"x\", 0], \"to\": [\"x\", 1]}\n"
            "{\"function\": \"f\", \"program\": [\"c\"]}\n"
            "{\"program\": [{\"repeat\": 2, \"body\": [{\"if\": [\"x\", 0], \"then\": [\"c\", "
            "{\"call\": \"f\"}]}]}]}\n");
  const Finished info = run({"trace", "info", file});
  EXPECT_EQ(info.exit_code, 0) << info.err;
  for (const char* line : {"steps           2\n", "loops           1\n", "branches        1\n",
                           "functions       1\n", "calls           1\n"}) {
    EXPECT_THAT(info.out, HasSubstr(line));
  }
}

TEST_F(TraceCommand, KeepsAMachineThatIsNoPreset) {
  const std::string file = (folder() / "run.ipt").string();
  const std::string config = smallRun();
  EXPECT_EQ(run({"trace", "record", config, "--set", "machine.clock_hz=2e9", "-o", file}).err, "");
  EXPECT_THAT(run({"trace", "info", file}).out, HasSubstr("clock_hz"));
  const auto seconds = [this](const std::vector<std::string>& arguments) {
    const std::string out = run(arguments).out;
    return out.substr(out.find("\"time\""), 200);
  };
  EXPECT_EQ(seconds({"run", file, "--json"}),
            seconds({"run", config, "--set", "machine.clock_hz=2e9", "--json"}));
}

TEST_F(TraceCommand, RefusesAMachineThatIsNotThere) {
  const std::string file = write("t.ipt", "{\"ipt\": 1, \"machine\": \"gc20\"}\n");
  const Finished refused = run({"trace", "check", file});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("t.ipt:1: machine: wanted a system ("));
  EXPECT_THAT(refused.err, HasSubstr("gc200"));
  EXPECT_EQ(run({"trace", "info", file}).exit_code, 2);
  EXPECT_EQ(run({"run", file, "--set", "machine=toy"}).exit_code, 0);
  const std::string wrong =
      write("u.ipt", "{\"ipt\": 1, \"machine\": {\"base\": \"toy\", \"tiels\": 3}}\n");
  EXPECT_THAT(run({"trace", "check", wrong}).err, HasSubstr("u.ipt:1: machine.tiels"));
}

TEST_F(TraceCommand, ChecksATrace) {
  const std::string file = record("run.ipt");
  EXPECT_THAT(run({"trace", "check", file}).out, HasSubstr("right, a program for 1 tile"));
  const std::string wrong = write("wrong.ipt", "{\"ipt\": 1}\n{\"variable\": \"x\"}\n");
  const Finished refused = run({"trace", "check", wrong});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("wrong.ipt:2: elements: wanted a value, found none"));
}

/// A program that depends on data, for the toy machine.
std::string withBranch(const std::string& record) {
  return "{\"ipt\": 1, \"machine\": \"toy\"}\n"
         "{\"variable\": \"x\", \"elements\": 8, \"lifetime\": \"always\", \"tiles\": \"0\"}\n"
         "{\"copy\": \"c\", \"from\": [\"x\", 0], \"to\": [\"x\", 1]}\n"
         "{\"program\": [{\"repeat\": 2, \"body\": [{\"if\": [\"x\", 0], \"then\": [\"c\"]}]}]}\n"
         "{\"record\": " +
         record + "}\n";
}

TEST_F(TraceCommand, ChecksWhatTheRecordSaysAsARunWould) {
  const auto check = [this](const std::string& record) {
    return run({"trace", "check", write("t.ipt", withBranch(record))});
  };
  EXPECT_EQ(check(R"({"branches": [[0, 1]]})").exit_code, 0);
  for (const char* branches : {"[[0]]", "[[0, 2]]", "[[0, 1, 1]]", "[[0, 1], [0]]"}) {
    const std::string record = std::string(R"({"branches": )") + branches + "}";
    const Finished refused = check(record);
    EXPECT_EQ(refused.exit_code, 2) << record;
    EXPECT_THAT(refused.err, HasSubstr("t.ipt:5: "));
    EXPECT_EQ(run({"run", (folder() / "t.ipt").string()}).err, refused.err);
  }
  const Finished measured =
      check(R"({"branches": [[0, 1]], "cycles": [{"step": "d", "cycles": 1}]})");
  EXPECT_EQ(measured.exit_code, 2);
  EXPECT_THAT(measured.err, HasSubstr("t.ipt:5: record.cycles[0].step: wanted a step"));
}

TEST_F(TraceCommand, ChecksForTheMachineOfTheTrace) {
  const std::string file = write("t.ipt",
                                 "{\"ipt\": 1, \"machine\": \"toy\"}\n"
                                 "{\"variable\": \"x\", \"elements\": 8, \"tiles\": \"7\"}\n");
  const Finished refused = run({"trace", "check", file});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("t.ipt:1: workload.file: wanted a trace for at most the 4 "
                                     "tiles of the machine (it names 8 tiles)"));
}

TEST_F(TraceCommand, RunsATraceByItsName) {
  const std::string file = record("run.ipt.gz");
  const Finished of_trace = run({"run", file});
  EXPECT_EQ(of_trace.exit_code, 0) << of_trace.err;
  EXPECT_THAT(of_trace.out, HasSubstr("trace on toy: it fits"));
  EXPECT_THAT(run({"check", file}).out, HasSubstr("trace on toy: nobody says"));
}

TEST_F(TraceCommand, TakesLimitsOfATrace) {
  const std::string file = record("run.ipt");
  EXPECT_THAT(run({"trace", "check", file, "--limit", "variables=1"}).err,
              HasSubstr("run.ipt:3: variable: wanted at most 1 variables"));
  EXPECT_THAT(run({"trace", "info", file, "--limit", "variables=1"}).err,
              HasSubstr("wanted at most 1 variables"));
  EXPECT_THAT(run({"trace", "diff", file, file, "--results", "--limit", "variables=1"}).err,
              HasSubstr("wanted at most 1 variables"));
  const Finished wrong = run({"trace", "check", file, "--limit", "steps=0"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("--limit steps: wanted a whole number of at least 1, found 0"));
  EXPECT_THAT(run({"trace", "check", file, "--limit", "steps"}).err,
              HasSubstr("--limit steps: wanted KEY=NUMBER, found no ="));
  EXPECT_THAT(run({"trace", "check", file, "--limit", "stps=1"}).err,
              HasSubstr("--limit stps: wanted steps, found the unknown key"));
}

TEST_F(TraceCommand, SaysThatATransformedProgramHasNoMeasuredTimes) {
  const std::string file = "configs/traces/squares_measured.ipt";
  const std::string out = (folder() / "half.ipt").string();
  const Finished done = run({"trace", "transform", file, "--scale-cycles", "2", "-o", out});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(done.out,
            "Left out: the measured cycles of 2 steps, which are those of the program that was "
            "measured.\n");
  EXPECT_THAT(run({"trace", "info", file}).out, HasSubstr("measured steps  2\n"));
  EXPECT_EQ(run({"trace", "diff", file, "configs/traces/squares.ipt"}).exit_code, 0);
}

// The type of these vertices is no parameter, so they stay with floats while their data do not.
TEST_F(TraceCommand, WritesNoTraceThatTheReaderRefuses) {
  const std::filesystem::path out = folder() / "half.ipt";
  const Finished refused = run({"trace", "transform", "configs/traces/matmul_blocked_64.ipt.zst",
                                "--half", "-o", out.string()});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--half: wanted vertices whose type is a parameter, found "));
  EXPECT_FALSE(std::filesystem::exists(out));
}

// A GC2 has 8 matrix units for halves, which an amp vertex uses unless its parameters say another
// number. Those of a GC200 are 16, and would want twice the weights and results.
TEST_F(TraceCommand, ReadsATraceWithTheMachineThatItNames) {
  const auto trace = [&](const std::string& machine) {
    return write(machine + ".ipt", "{\"ipt\": 1, \"machine\": \"" + machine + R"("}
{"variable": "in", "type": "half", "elements": 64, "tiles": 0}
{"variable": "weights", "type": "half", "elements": 128, "tiles": 0}
{"variable": "out", "type": "half", "elements": 32, "lifetime": "always", "tiles": 0}
{"vertex": "a", "make": "amp", "params": {"type": "half", "partials_type": "half", "field": 4}}
{"compute_set": "s"}
{"vertices": [{"type": "a", "data": ["in", "weights", "out"]}], "tiles": 0}
)");
  };
  const Finished right = run({"trace", "check", trace("gc2")});
  EXPECT_EQ(right.exit_code, 0) << right.err;
  const Finished refused = run({"trace", "check", trace("gc200")});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("wanted 256 elements"));
}

TEST_F(TraceCommand, ComparesWhatItTransforms) {
  const std::string file = record("run.ipt");
  const std::string slow = (folder() / "slow.ipt").string();
  EXPECT_EQ(run({"trace", "transform", file, "--scale-cycles", "2", "-o", slow}).exit_code, 0);
  EXPECT_EQ(run({"trace", "diff", file, file}).out, "the programs are equal\n");
  EXPECT_THAT(run({"trace", "diff", file, slow}).out, HasSubstr("compute set"));
}

TEST_F(TraceCommand, NeedsATransformation) {
  const std::string file = record("run.ipt");
  const Finished none = run({"trace", "transform", file, "-o", file});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("wanted --tiles, --half or --scale-cycles, found none"));
  const Finished wrong = run({"trace", "transform", file, "--tiles", "0", "-o", file});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("--tiles: wanted a whole number in [1, 1048576], found \"0\""));
}

}  // namespace
}  // namespace ipusim::cli
