// SPDX-License-Identifier: Apache-2.0
#include "sim/run/replay.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/run/check/check_digests.h"
#include "tests/support/thrown.h"
#include "tests/trace/trace_run.h"

namespace ipusim {
namespace {

using testing::HasSubstr;

// The compute set `a` takes 600 cycles on each tile of the toy machine, `b` 60. A decision goes
// from tile 0 to the three others: a sync of 10 and an exchange of one word. Tiles 2 and 3 share a
// bus and take the word in one stream. Tile 1, on the bus of the sender, takes it in another. Each
// stream holds the sender's port for 1 cycle.
constexpr std::uint64_t kReplayA = 600;
constexpr std::uint64_t kB = 60;
constexpr std::uint64_t kDecision = 10 + 2;

std::string dataDependent(const std::string& steps, const std::string& record) {
  return kBegin +
         "{\"variable\": \"flag\", \"elements\": 1, \"lifetime\": \"always\", \"tiles\": \"0\"}\n"
         "{\"compute_set\": \"b\"}\n"
         "{\"vertices\": [{\"type\": \"v\", \"cycles\": 10, \"data\": [\"x\", \"y\"]}], "
         "\"tiles\": \"0-3\"}\n"
         "{\"program\": [" +
         steps + "]}\n" + (record.empty() ? "" : "{\"record\": " + record + "}\n");
}

class Replay : public testing::TestWithParam<Engine> {
 protected:
  static Cycles cycles(const std::string& steps, const std::string& record) {
    return runTrace(dataDependent(steps, record), GetParam()).time.cycles;
  }
};

// The condition runs once more than the body; a decision follows each time.
TEST_P(Replay, RunsTheBodyOfAWhileAsOftenAsTheRecordSays) {
  const std::string loop = R"({"while": ["flag", 0], "condition": ["b"], "body": ["a"]})";
  EXPECT_EQ(cycles(loop, R"({"trips": [[0]]})"), Cycles(kB + kDecision));
  EXPECT_EQ(cycles(loop, R"({"trips": [[5]]})"), Cycles(6 * (kB + kDecision) + 5 * kReplayA));
}

TEST_P(Replay, TakesTheBranchesOfEachIteration) {
  const std::string steps =
      R"({"repeat": 10, "body": [{"if": ["flag", 0], "then": ["a"], "else": ["b"]}]})";
  EXPECT_EQ(cycles(steps, R"({"branches": [[[0, 7], 1, 0, 1]]})"),
            Cycles(10 * kDecision + 8 * kReplayA + 2 * kB));
}

TEST_P(Replay, TakesTheCaseOfASwitch) {
  const std::string steps = R"({"switch": ["flag", 0], "cases": [{"value": 3, "body": ["a"]},
                                {"value": -1, "body": ["b"]}], "else": []})";
  std::string one_line = steps;
  one_line.erase(one_line.find('\n'), 1);
  EXPECT_EQ(cycles(one_line, R"({"branches": [[0]]})"), Cycles(kDecision + kReplayA));
  EXPECT_EQ(cycles(one_line, R"({"branches": [[1]]})"), Cycles(kDecision + kB));
  EXPECT_EQ(cycles(one_line, R"({"branches": [[2]]})"), Cycles(kDecision));
}

// Two rounds: the inner loop runs twice, then not at all.
TEST_P(Replay, CountsIterationsThroughTheLoopsAround) {
  const std::string steps =
      R"({"repeat": 2, "body": [{"while": ["flag", 0], "condition": ["b"], "body": ["a"]}]})";
  EXPECT_EQ(cycles(steps, R"({"trips": [[2, 0]]})"), Cycles(4 * (kB + kDecision) + 2 * kReplayA));
}

INSTANTIATE_TEST_SUITE_P(Engines, Replay, testing::Values(Engine::SystemC, Engine::ClosedForm),
                         [](const auto& test) {
                           return test.param == Engine::SystemC ? "Chip" : "ClosedForm";
                         });

// A vertex has 64 operations, and a compute set 4 vertices.
TEST(ReplayedWork, IsThatOfTheVerticesThatRun) {
  const auto flops = [](const std::string& steps, const std::string& record) {
    std::string text = dataDependent(steps, record);
    text.replace(text.find("\"cycles\""), 0, "\"flops\": 64, ");
    return runTrace(text, Engine::ClosedForm).work.flops;
  };
  constexpr std::uint64_t kSet = 256;
  EXPECT_EQ(flops(R"({"repeat": 10, "body": [{"if": ["flag", 0], "then": ["a", "b"]}]})",
                  R"({"branches": [[[0, 7], 1, 0, 1]]})"),
            Flops(16 * kSet));
  EXPECT_EQ(
      flops(R"({"while": ["flag", 0], "condition": ["b"], "body": ["a"]})", R"({"trips": [[5]]})"),
      Flops(11 * kSet));
  EXPECT_EQ(flops(R"({"while": ["flag", 0], "body": ["a"]})", R"({"trips": [[0]]})"), Flops(0));
}

// The vertices of a body that does not run have their state and code on the tile all the same.
TEST(ReplayedMemory, HoldsWhatDoesNotRun) {
  const std::string steps = R"({"if": ["flag", 0], "then": ["a"], "else": ["b"]})";
  const auto bytes = [&](const char* record) {
    return runTrace(dataDependent(steps, record), Engine::ClosedForm).memory.total;
  };
  EXPECT_EQ(bytes(R"({"branches": [[0]]})"), bytes(R"({"branches": [[1]]})"));
}

TEST(ReplayedRecord, MustSayWhatEachStepDoes) {
  const std::string steps =
      R"({"repeat": 3, "body": [{"if": ["flag", 0], "then": ["a"], "else": ["b"]}]})";
  const auto fault = [&](const char* record) {
    return configErrorOf([&] { runTrace(dataDependent(steps, record), Engine::ClosedForm); });
  };
  EXPECT_THAT(fault(""),
              HasSubstr("t.ipt: execution record: wanted what If on variable flag (number 0)"));
  EXPECT_THAT(fault(R"({"branches": [[0, 1]]})"), HasSubstr("does the 3. time, found nothing"));
  EXPECT_THAT(fault(R"({"branches": [[0, 1, 2]]})"), HasSubstr("wanted a body below 2"));
}

TEST(ReplayedRecord, BoundsTheStepsThatItIsReplayedFor) {
  const std::string steps =
      R"({"repeat": 1000000000, "body": [{"if": ["flag", 0], "then": ["a"]}]})";
  EXPECT_THAT(configErrorOf([&] {
                runTrace(dataDependent(steps, R"({"branches": [[[0, 1000000000]]]})"),
                         Engine::ClosedForm);
              }),
              HasSubstr("t.ipt:11: execution record: wanted at most 200000 steps to replay, found "
                        "more at If on variable flag (the limit replayed_steps allows more)"));
}

// An iteration is three steps: tiles hear of the decision, the If, and the compute set in it.
TEST(ReplayedRecord, IsReplayedForAsManyStepsAsTheConfigAllows) {
  const TemporaryFolder folder;
  const auto file =
      folder.write("t.ipt", dataDependent(R"({"repeat": 100, "body": [{"if": ["flag", 0], "then": )"
                                          R"(["a"]}]})",
                                          R"({"branches": [[[0, 100]]]})"));
  const auto replay = [&](const char* steps) {
    run::replayProgram(ConfigReader::fromText(
        "machine = \"toy\"\n[workload]\nkind = \"trace\"\nfile = \"" + file.string() +
            "\"\nlimits = {replayed_steps = " + steps + "}\n",
        "run.toml"));
  };
  EXPECT_NO_THROW(replay("300"));
  EXPECT_THAT(configErrorOf([&] { replay("299"); }), HasSubstr("at most 299 steps to replay"));
}

TEST(ReplayedRecord, IsCheckedWithoutARun) {
  const TemporaryFolder folder;
  const auto fault = [&](const char* steps, const char* record) {
    const auto file = folder.write("t.ipt", dataDependent(steps, record));
    return configErrorOf([&] { run::replayProgram(configOf(file, "toy")); });
  };
  const char* branch = R"({"repeat": 3, "body": [{"if": ["flag", 0], "then": ["a"]}]})";
  EXPECT_THAT(fault(branch, ""), HasSubstr("t.ipt: execution record: wanted what If"));
  EXPECT_THAT(fault(branch, R"({"branches": [[0, 1]]})"),
              HasSubstr("t.ipt:11: execution record: wanted what If on variable flag (number 0) "
                        "does the 3. time, found nothing"));
  EXPECT_THAT(fault(branch, R"({"branches": [[0, 2, 1]]})"),
              HasSubstr("t.ipt:11: execution record: wanted a body below 2"));
  EXPECT_THAT(fault(branch, R"({"branches": [[0, 1, 0, 1]]})"),
              HasSubstr("t.ipt:11: record.branches[0]: wanted 3 entries, for the run comes to that "
                        "step so often, found 4 entries"));
  EXPECT_THAT(fault(branch, R"({"branches": [[[0, 3]], [0]]})"),
              HasSubstr("record.branches[1]: wanted 0 entries"));
  const char* loop = R"({"while": ["flag", 0], "body": ["a"]})";
  EXPECT_THAT(fault(loop, R"({"trips": [[]]})"), HasSubstr("RepeatWhile on variable flag"));
  EXPECT_THAT(fault(loop, R"({"trips": [[4, 5]]})"),
              HasSubstr("record.trips[0]: wanted 1 entry, for the run comes to that step so often, "
                        "found 2 entries"));
}

/// Four tiles square numbers and send three of them on, in a program of these steps.
std::string squares(const char* flops, const char* program) {
  return fmt::format(
      R"({{"ipt": 1, "machine": "toy"}}
{{"variable": "x", "elements": 1024, "lifetime": "always", "tiles": "0-3"}}
{{"variable": "y", "elements": 1024, "tiles": "0-3"}}
{{"variable": "firsts", "elements": 3, "lifetime": "always", "tiles": "0"}}
{{"vertex": "square", "cycles": 100, "flops": {}, "fields": [)"
      R"({{"name": "in", "direction": "in", "elements": 64}}, )"
      R"({{"name": "out", "direction": "out", "elements": 64}}]}}
{{"compute_set": "squares"}}
{{"vertices": [{{"type": "square", "count": 4, "data": ["x", "y"]}}], "tiles": "0-3"}}
{{"copy": "gather", "from": ["y", 256, 3, 256], "to": "firsts"}}
{{"program": [{}]}}
)",
      flops, program);
}

TEST(ReplayedProgram, IsRefusedAsARunWhereACountIsTooLarge) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& text) {
    const ConfigReader config = configOf(folder.write("t.ipt", text), "toy");
    const std::string by_run =
        configErrorOf([&] { (void)run::simulate(config, Engine::ClosedForm); });
    EXPECT_THAT(by_run, HasSubstr("wanted sizes whose work, bytes and cycles 64 bits can count"));
    EXPECT_EQ(configErrorOf([&] { run::replayProgram(config); }), by_run);
  };
  refused(squares("9007199254740992", R"({"repeat": 1024, "body": ["squares"]})"));
  refused(squares("64", R"({"repeat": 9007199254740992, "body": ["squares", "gather"]})"));
  const char* nested =
      R"({"repeat": 4294967296, "body": [{"repeat": 4294967295, "body": ["gather"]}]})";
  refused(squares("64", nested));
  const std::string many =
      squares("64", R"({"repeat": 4294967296, "body": ["squares", "gather"]})");
  EXPECT_TRUE(run::replayProgram(configOf(folder.write("t.ipt", many), "toy")).checked_all);
}

TEST(ReplayedRecord, DoesNotServeAnExecutionWithNumbers) {
  const TemporaryFolder folder;
  const std::string steps = R"({"if": ["flag", 0], "then": ["a"]})";
  const auto file = folder.write("t.ipt", dataDependent(steps, R"({"branches": [[0]]})"));
  const run::Experiment experiment = run::prepare(configOf(file, "toy"));
  EXPECT_THAT(
      configErrorOf([&] { run::digestsOf(experiment.workload.graph, experiment.executable, {}); }),
      HasSubstr("wanted a program without If, Switch and RepeatWhile"));
}

}  // namespace
}  // namespace ipusim
