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
    const std::string file = (folder() / name).string();
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
}

TEST_F(TraceCommand, ChecksATrace) {
  const std::string file = record("run.ipt");
  EXPECT_THAT(run({"trace", "check", file}).out, HasSubstr("right, a program for 1 tiles"));
  const std::string wrong = write("wrong.ipt", "{\"ipt\": 1}\n{\"variable\": \"x\"}\n");
  const Finished refused = run({"trace", "check", wrong});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("wrong.ipt:2: elements: wanted a value, found none"));
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
