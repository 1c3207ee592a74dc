// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sim/report/json.h"
#include "tests/trace/trace_run.h"

namespace ipusim {
namespace {

constexpr std::uint64_t kRepeats = 3;
constexpr std::uint64_t kTiles = 4;
constexpr std::uint64_t kVertices = 16;
constexpr std::uint64_t kFloat = 4;  // bytes

class HandWrittenTrace : public testing::TestWithParam<Engine> {};

// configs/traces/squares.ipt on the toy machine, where launches and starts take no time:
//
//   squares: 4 worker vertices on each tile and 6 contexts, so all run at once.
//     100 slots of 6 cycles: 600.
//   gather, its sync: all tiles ask at once, and the base is 10: 10.
//   gather, its exchange: 3 tiles send 4 bytes each to tile 0, which takes 4 bytes a cycle: 3.
//   An iteration: 600 + 10 + 3 = 613.
//   3 iterations: tile 0 ends last in each, and the others wait for it in the next sync: 1839.
TEST_P(HandWrittenTrace, TakesTheCyclesThatItsLinesAddUpTo) {
  const ConfigReader config = ConfigReader::fromFile("configs/traces/squares.toml");
  const run::RunResult result = run::simulate(config, GetParam());
  EXPECT_EQ(result.time.cycles, Cycles(kRepeats * (600 + 10 + 3)));
  ASSERT_EQ(result.steps.size(), 3U);
  EXPECT_EQ(result.steps[0].cycles, Cycles(kRepeats * 600));
  EXPECT_EQ(result.steps[2].cycles, Cycles(kRepeats * 3));
  EXPECT_EQ(result.steps[2].exchange.bytes, Bytes(3 * kFloat));
}

// x, y: 256 floats on each of 4 tiles. firsts: 3 floats. State: 16 bytes for each of 16 vertices.
// Code: 64 bytes on each tile.
TEST_P(HandWrittenTrace, TakesTheBytesThatItsLinesAddUpTo) {
  const ConfigReader config = ConfigReader::fromFile("configs/traces/squares.toml");
  const run::RunResult result = run::simulate(config, GetParam());
  EXPECT_EQ(result.memory.total,
            Bytes(kTiles * (2 * kFloat * 256 + 64) + kVertices * 16 + 3 * kFloat));
  EXPECT_EQ(result.graph.vertices, kVertices);
  EXPECT_EQ(result.graph.edges, 2 * kVertices);
  EXPECT_EQ(result.work.flops, Flops(kRepeats * kVertices * 64));
}

// One vertex of 100 slots on each tile; that of tile 2 takes 250 instead.
TEST_P(HandWrittenTrace, MayGiveTheCyclesOfATile) {
  const std::string begin = kBegin.substr(0, kBegin.find("{\"vertices\""));
  const std::string line =
      "{\"vertices\": [{\"type\": \"v\", \"data\": [\"x\", \"y\"], \"cycles\": [[\"2\", 250]]}], "
      "\"tiles\": \"0-3\"}\n";
  const run::RunResult result = runTrace(begin + line, GetParam());
  EXPECT_EQ(result.tiles[1].compute, Cycles(600));
  EXPECT_EQ(result.tiles[2].compute, Cycles(1500));
}

TEST_P(HandWrittenTrace, MayWriteWholeNumbersWithExponents) {
  std::string real = kBegin;
  for (std::size_t at = 0; (at = real.find(": 256", at)) != std::string::npos; ++at) {
    real.replace(at, 5, ": 2.56e2");
  }
  ASSERT_NE(real, kBegin);
  const run::RunResult result = runTrace(real, GetParam());
  EXPECT_EQ(result.memory.total, runTrace(kBegin, GetParam()).memory.total);
}

// The program is left out: the compute set and the copy run in the order of the lines.
TEST_P(HandWrittenTrace, RunsAllOfItInOrderWithoutAProgram) {
  const std::string copy = "{\"copy\": \"c\", \"from\": [\"y\", 64, 2], \"to\": [\"x\", 0, 2]}\n";
  const run::RunResult result = runTrace(kBegin + copy, GetParam());
  EXPECT_EQ(result.time.cycles, Cycles(600 + 10 + 2));
}

// One step fills the first halves of y, another one the rest. Between two rounds y holds nothing
// if the trace says so, and its memory serves z.
TEST_P(HandWrittenTrace, MaySayThatAVariableHoldsNothing) {
  const auto bytes = [&](const std::string& undef) {
    const std::string lines =
        "{\"variable\": \"z\", \"elements\": 256, \"tiles\": \"0-3\"}\n"
        "{\"copy\": \"low\", \"from\": [\"x\", 0, 128], \"to\": [\"y\", 0, 128]}\n"
        "{\"copy\": \"high\", \"from\": [\"x\", 128, 128], \"to\": [\"y\", 128, 128]}\n"
        "{\"copy\": \"save\", \"from\": \"y\", \"to\": \"x\"}\n"
        "{\"copy\": \"there\", \"from\": \"x\", \"to\": \"z\"}\n"
        "{\"copy\": \"back\", \"from\": \"z\", \"to\": \"x\"}\n"
        "{\"program\": [{\"repeat\": 2, \"body\": [" +
        undef + "\"low\", \"high\", \"save\", \"there\", \"back\"]}]}\n";
    const run::RunResult result = runTrace(kBegin + lines, GetParam());
    return std::make_pair(result.memory.peak_not_always_live, result.time.cycles);
  };
  const auto [with, cycles] = bytes("{\"write_undef\": [\"y\"]}, ");
  const auto [without, same_cycles] = bytes("");
  EXPECT_EQ(with, Bytes(256 * kFloat));
  EXPECT_EQ(without, Bytes(2 * 256 * kFloat));
  EXPECT_EQ(cycles, same_cycles);
}

INSTANTIATE_TEST_SUITE_P(Engines, HandWrittenTrace,
                         testing::Values(Engine::SystemC, Engine::ClosedForm),
                         [](const auto& test) {
                           return test.param == Engine::SystemC ? "Chip" : "ClosedForm";
                         });

}  // namespace
}  // namespace ipusim
