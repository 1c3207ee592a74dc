// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/ipu/engines/chip/simulate_chip.h"
#include "sim/report/csv.h"
#include "sim/report/json.h"
#include "sim/report/text/table.h"
#include "sim/run/check/check_digests.h"
#include "sim/run/replay.h"
#include "tests/support/thrown.h"
#include "tests/trace/trace_run.h"
#include "workloads/sources/trace/trace_diff.h"
#include "workloads/sources/trace/trace_writer.h"
#include "workloads/sources/trace/transform.h"

namespace ipusim {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// On the toy machine the compute set `a` takes 600 cycles on each tile. The copy `c` takes two
// floats from tile 1 to tile 0: a sync of 10 cycles and an exchange of 2. The stream `s` comes to
// the tiles.
const std::string kCopyAndStream =
    "{\"copy\": \"c\", \"from\": [\"y\", 64, 2], \"to\": [\"x\", 0, 2]}\n"
    "{\"stream\": \"s\", \"direction\": \"to_chip\", \"variables\": [\"x\"]}\n";
constexpr std::uint64_t kA = 600;
constexpr std::uint64_t kSync = 10;
constexpr std::uint64_t kExchange = 2;

std::string measured(const std::string& cycles, const std::string& steps = R"("a", "c")") {
  return kBegin + kCopyAndStream + "{\"program\": [" + steps + "]}\n" +
         "{\"record\": {\"cycles\": [" + cycles + "]}}\n";
}

class MeasuredSteps : public testing::TestWithParam<Engine> {
 protected:
  static run::RunResult run(const std::string& text) { return runTrace(text, GetParam()); }
};

TEST_P(MeasuredSteps, TakeOneNumberOnAllTilesOfTheStep) {
  const run::RunResult result = run(measured(R"({"step": "a", "cycles": 777})"));
  EXPECT_EQ(result.time.cycles, Cycles(777 + kSync + kExchange));
  for (const TileResult& tile : result.tiles) EXPECT_EQ(tile.compute, Cycles(777));
}

TEST_P(MeasuredSteps, TakeWhatATableSaysOfEachTile) {
  const run::RunResult result =
      run(measured(R"({"step": "a", "cycles": [["0-1", 700], [3, 650], ["2", 1]]})"));
  EXPECT_EQ(result.time.cycles, Cycles(700 + kSync + kExchange));
  EXPECT_EQ(result.tiles[1].compute, Cycles(700));
  EXPECT_EQ(result.tiles[2].compute, Cycles(1));
  EXPECT_EQ(result.tiles[3].compute, Cycles(650));
}

// The sender is done after 40 cycles, the receiver after 50.
TEST_P(MeasuredSteps, MayBeExchanges) {
  const run::RunResult result =
      run(measured(R"({"step": "c/Exchange", "cycles": [[0, 50], [1, 40]]})"));
  EXPECT_EQ(result.time.cycles, Cycles(kA + kSync + 50));
  EXPECT_EQ(result.tiles[0].exchange, Cycles(50));
  EXPECT_EQ(result.tiles[1].exchange, Cycles(40));
  EXPECT_EQ(result.steps[2].exchange.bytes, Bytes(8));
}

// Tile 2 neither sends nor receives, but its ports may be lent.
TEST_P(MeasuredSteps, MayBeExchangesWithTilesThatLendPorts) {
  const run::RunResult result =
      run(measured(R"({"step": "c/Exchange", "cycles": [["0-1", 50], [2, 60]]})"));
  EXPECT_EQ(result.time.cycles, Cycles(kA + kSync + 60));
  EXPECT_EQ(result.tiles[2].exchange, Cycles(60));
}

TEST_P(MeasuredSteps, MayBeCopiesOnTheTiles) {
  const std::string copy = "{\"copy\": \"d\", \"from\": [\"y\", 0, 8], \"to\": [\"x\", 0, 8]}\n";
  std::string text = measured(R"({"step": "d/OnTileCopy", "cycles": 31})", R"("d")");
  text.insert(text.find("{\"program\""), copy);
  EXPECT_EQ(run(text).time.cycles, Cycles(31));
}

// All tiles of the toy machine are at the controller, which releases them after the sync.
TEST_P(MeasuredSteps, MayBeTransfersOfTheHost) {
  const run::RunResult result = run(measured(R"({"step": "s", "cycles": 5000})", R"("s")"));
  EXPECT_EQ(result.time.cycles, Cycles(kSync + 5000));
  EXPECT_TRUE(result.steps[1].measured);
}

TEST_P(MeasuredSteps, TakeAsLongInEachIteration) {
  const std::string cycles =
      R"({"step": "a", "cycles": 700}, {"step": "c/Exchange", "cycles": 50})";
  EXPECT_EQ(run(measured(cycles, R"({"repeat": 3, "body": ["a", {"repeat": 2, "body": ["c"]}]})"))
                .time.cycles,
            Cycles(3 * (700 + 2 * (kSync + 50))));
}

TEST_P(MeasuredSteps, MayTakeLessThanAnyVertexCould) {
  EXPECT_EQ(run(measured(R"({"step": "a", "cycles": 0})")).time.cycles, Cycles(kSync + kExchange));
}

// Two steps of the program in squares.ipt, which hand_written_test.cpp derives, are measured: the
// compute set takes 655 cycles on the slowest tiles, and the gather takes 9. The sync of the gather
// takes 10. One iteration therefore takes 655 + 10 + 9 cycles.
TEST_P(MeasuredSteps, AddUpInTheShippedExample) {
  const ConfigReader config = ConfigReader::fromFile("configs/traces/squares_measured.toml");
  EXPECT_EQ(run::simulate(config, GetParam()).time.cycles,
            3 * (Cycles(655) + Cycles(10) + Cycles(9)));
}

/// The predicted cycles of each tile in each step that does work, as if they had been measured.
std::vector<MeasuredStep> asMeasured(const run::Experiment& experiment) {
  const ChipResult predicted = models::simulateChip(experiment.executable.programs.only(), nullptr);
  const run::RunResult result = run::simulate(experiment, Engine::SystemC);
  std::vector<MeasuredStep> measured;
  for (std::uint32_t s = 0; s < result.steps.size(); ++s) {
    const StepKind kind = result.steps[s].kind;
    if (kind == StepKind::Sync || kind == StepKind::HostCopy) continue;
    MeasuredStep& step = measured.emplace_back();
    step.step = StepId{s};
    auto& cycles = step.cycles.emplace<CyclesByTile>();
    for (std::uint32_t t = 0; t < predicted.tiles; ++t) {
      const Cycles busy = predicted.busyOf(s, t);
      if (busy == Cycles(0)) continue;
      cycles[TileId(t)] = Cycles(busy.value() / result.steps[s].iterations);
    }
  }
  return measured;
}

// Times that equal the predicted ones change nothing, and the text of the trace holds them all.
TEST_P(MeasuredSteps, ThatTakeWhatWasPredictedChangeNoTime) {
  for (const char* file : {"configs/traces/squares.ipt", "configs/traces/matmul_blocked_64.ipt.zst",
                           "configs/traces/butterfly_64.ipt.zst"}) {
    const run::Experiment experiment = run::prepare(configOf(file, "gc200"));
    const run::RunResult predicted = run::simulate(experiment, GetParam());
    workloads::Trace trace = workloads::readTrace(file, readPreset("gc200"));
    trace.record.emplace().measured = asMeasured(experiment);
    const TemporaryFolder folder;
    const auto copy = folder.write("t.ipt", workloads::traceText(trace, readPreset("gc200")));
    const run::RunResult replayed = run::simulate(configOf(copy, "gc200"), GetParam());
    EXPECT_EQ(replayed.time.cycles, predicted.time.cycles) << file;
    EXPECT_EQ(replayed.time.compute, predicted.time.compute) << file;
    EXPECT_EQ(replayed.time.exchange, predicted.time.exchange) << file;
    EXPECT_EQ(replayed.memory.total, predicted.memory.total) << file;
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, MeasuredSteps,
                         testing::Values(Engine::SystemC, Engine::ClosedForm),
                         [](const auto& test) {
                           return test.param == Engine::SystemC ? "Chip" : "ClosedForm";
                         });

TEST(MeasuredResult, SaysWhichStepsWereMeasured) {
  const run::RunResult result =
      runTrace(measured(R"({"step": "c/Exchange", "cycles": 50})"), Engine::ClosedForm);
  const auto json = report::toJson(result, report::Stats::Without);
  EXPECT_FALSE(json["steps"][0].contains("measured"));
  EXPECT_EQ(json["steps"][2]["measured"], true);
  EXPECT_THAT(report::tableText(result),
              AllOf(HasSubstr("What 1 step of 3 takes was measured and is not predicted."),
                    HasSubstr("  measured\n")));
  EXPECT_THAT(report::stepsCsv(result), AllOf(HasSubstr(",600,0,0,"), HasSubstr(",660,1,0,")));
}

TEST(MeasuredResult, SaysNothingWhereNothingWasMeasured) {
  const run::RunResult result = runTrace(kBegin, Engine::ClosedForm);
  EXPECT_THAT(report::tableText(result), Not(HasSubstr("measured")));
  EXPECT_THAT(report::jsonText(result, report::Stats::Without), Not(HasSubstr("measured")));
}

TEST(MeasuredResult, HasTheNumbersOfTheProgram) {
  const TemporaryFolder folder;
  const auto digests = [&](const std::string& text) {
    const run::Experiment experiment =
        run::prepare(configOf(folder.write("t.ipt", kBegin + kCopyAndStream + text), "toy"));
    const auto all = run::digestsOf(experiment.workload.graph, experiment.executable, {});
    return all.at(0).digest;
  };
  const std::string program = "{\"program\": [\"c\"]}\n";
  EXPECT_EQ(digests(program + R"({"record": {"cycles": [{"step": "c/Exchange", "cycles": 7}]}})"),
            digests(program));
}

std::string fault(const std::string& cycles, const std::string& steps = R"("a", "c", "s")") {
  const TemporaryFolder folder;
  const auto file = folder.write("t.ipt", measured(cycles, steps));
  std::string found = configErrorOf([&] { run::replayProgram(configOf(file, "toy")); });
  EXPECT_EQ(configErrorOf([&] { run::prepare(configOf(file, "toy")); }), found);
  EXPECT_EQ(found.find('\n'), std::string::npos);
  return found;
}

TEST(MeasuredErrors, NameLineKeyAndStep) {
  EXPECT_THAT(fault(R"({"step": "a", "cycles": 1}, {"step": "c/Exchang", "cycles": 1})"),
              HasSubstr("t.ipt:10: record.cycles[1].step: wanted a step of the compiled program "
                        "(did you mean c/Exchange?), found \"c/Exchang\""));
  EXPECT_THAT(fault(R"({"step": 99, "cycles": 1})"), HasSubstr("wanted a step below 5, found 99"));
  EXPECT_THAT(fault(R"({"step": "a", "cycles": 1}, {"step": 0, "cycles": 2})"),
              HasSubstr("record.cycles[1].step: wanted a step once, found \"a\" twice"));
  EXPECT_THAT(fault(R"({"step": "c/Sync", "cycles": 1})"),
              HasSubstr("wanted a step that does work, found \"c/Sync\", which waits for tiles"));
}

TEST(MeasuredErrors, NameTheTile) {
  EXPECT_THAT(fault(R"({"step": "c/Exchange", "cycles": [["0-1", 5], [4, 5]]})"),
              HasSubstr("record.cycles[0].cycles: wanted tiles that take part in \"c/Exchange\", "
                        "found tile 4"));
  EXPECT_THAT(
      fault(R"({"step": "c/Exchange", "cycles": [[1, 5]]})"),
      HasSubstr("wanted all tiles that take part in \"c/Exchange\", found none for tile 0"));
  EXPECT_THAT(fault(R"({"step": "a", "cycles": [["0-4", 5]]})"),
              HasSubstr("wanted tiles that take part in \"a\", found tile 4"));
  EXPECT_THAT(fault(R"({"step": "a", "cycles": [["0-2", 5]]})"),
              HasSubstr("wanted all tiles that take part in \"a\", found none for tile 3"));
  EXPECT_THAT(
      fault(R"({"step": "s", "cycles": [["0-3", 5]]})"),
      HasSubstr("wanted one number for \"s\", in which all tiles take part, found a table"));
}

TEST(MeasuredErrors, NameANameThatIsThereTwice) {
  const TemporaryFolder folder;
  std::string text = measured(R"({"step": "a", "cycles": 1})", R"({"execute": 0}, {"execute": 1})");
  text.insert(text.find("{\"copy\""),
              "{\"compute_set\": \"a\"}\n{\"vertices\": [{\"type\": \"v\", \"data\": [\"x\", "
              "\"y\"]}], \"tiles\": \"0-3\"}\n");
  const auto file = folder.write("t.ipt", text);
  EXPECT_THAT(configErrorOf([&] { run::replayProgram(configOf(file, "toy")); }),
              HasSubstr("wanted the number of a step whose name is there twice, found \"a\""));
}

TEST(MeasuredErrors, AreFoundWhileTheLineIsRead) {
  const auto of_line = [](const std::string& cycles) {
    return configErrorOf([&] { traceFrom(measured(cycles)); });
  };
  for (const char* wrong : {"9223372036854775808", "-1", "1.5", "\"1\"", "null"}) {
    EXPECT_THAT(of_line(std::string(R"({"step": "a", "cycles": )") + wrong + "}"),
                HasSubstr("t.ipt:10: cycles: wanted a whole number in [0, 9007199254740992]"));
  }
  EXPECT_THAT(of_line(R"({"step": "a", "cycles": [["0-1", 5], [1, 6]]})"),
              HasSubstr("t.ipt:10: cycles: wanted each tile once, but for tile 1"));
  EXPECT_THAT(of_line(R"({"step": "a", "cycles": [[4294967296, 5]]})"),
              HasSubstr("cycles: wanted a whole number in"));
  EXPECT_THAT(of_line(R"({"step": "a", "cycles": [[0, 5, 6]]})"), HasSubstr("[tiles, cycles]"));
  EXPECT_THAT(of_line(R"({"step": -1, "cycles": 5})"), HasSubstr("t.ipt:10: step: wanted"));
  EXPECT_THAT(of_line(R"({"cycles": 5})"), HasSubstr("t.ipt:10: step: wanted a value, found none"));
  EXPECT_THAT(of_line(R"({"step": "a", "cycles": 5, "tiles": 0})"), HasSubstr("an unknown key"));
}

TEST(MeasuredTrace, IsWrittenAsItWasRead) {
  const workloads::Trace trace = traceFrom(measured(
      R"({"step": "a", "cycles": [["0-1", 700], ["2", 9], [3, 9]]}, {"step": 4, "cycles": 7})"));
  const std::string text = workloads::traceText(trace, readPreset("toy"));
  EXPECT_THAT(text, HasSubstr(R"({"record":{"cycles":[{"step":"a","cycles":[["0-1",700],)"
                              R"(["2-3",9]]},{"step":4,"cycles":7}]}})"));
  EXPECT_EQ(traceFrom(text).record, trace.record);
}

TEST(MeasuredTrace, DiffersFromOneWithOtherTimes) {
  const workloads::Trace one = traceFrom(measured(R"({"step": "a", "cycles": 1})"));
  const workloads::Trace other = traceFrom(measured(R"({"step": "a", "cycles": 2})"));
  const auto found = workloads::differences(one, other, readPreset("toy"));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].thing, "record");
  EXPECT_THAT(found[0].first, HasSubstr("1 measured steps"));
}

TEST(MeasuredTrace, LosesItsTimesInAnotherProgram) {
  const workloads::Trace trace = traceFrom(measured(R"({"step": "a", "cycles": 1})"));
  const Machine toy = readPreset("toy");
  EXPECT_FALSE(workloads::withScaledCycles(trace, 2, "", toy).record);
  EXPECT_FALSE(workloads::halved(trace, toy).record);
  EXPECT_FALSE(workloads::retargeted(trace, 4, toy).record);
}

}  // namespace
}  // namespace ipusim
