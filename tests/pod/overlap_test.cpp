// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "ipusim/error.h"
#include "tests/pod/streaming_pod.h"
#include "tests/support/thrown.h"

// Remote copies beside other steps on toy IPUs: see streaming_pod.h for their times.

namespace ipusim::compiler {
namespace {

using testing::HasSubstr;

/// On each IPU, 32 I/O tiles and then 32 others.
constexpr std::uint32_t kTiles = 64;
constexpr std::uint32_t kIoTiles = 32;

constexpr std::uint32_t computeTile(std::uint32_t ipu, std::uint32_t number = 1) {
  return ipu * kTiles + kIoTiles + number;
}

/// A graph on I/O tiles and others. A row has so many floats on the first tile of each IPU. A
/// compute step takes 60 cycles.
struct IoGraph {
  explicit IoGraph(const std::vector<std::uint64_t>& floats = {16}) {
    std::vector<TileId> io;
    std::vector<Tensor> parts;
    for (std::uint32_t i = 0; i < floats.size(); ++i) {
      for (std::uint32_t t = 0; t < kIoTiles; ++t) io.emplace_back(i * kTiles + t);
      parts.push_back(toy.on(i * kTiles, floats[i], Lifetime::Always));
      in.push_back(toy.on(computeTile(i), 16, Lifetime::Always));
      out.push_back(toy.on(computeTile(i), 16, Lifetime::Always));
    }
    toy.graph.setIoTiles(io);
    row = concat(parts, 0);
    buffer = toy.graph.addRemoteBuffer(ElementType::Float, row.elements(), 8, "rows");
  }
  Program load() { return toy.graph.load(buffer, kRow, row, "load"); }
  /// `count` compute steps on an IPU, one after the other.
  Program compute(std::uint32_t ipu, std::uint64_t count) {
    return repeat(count, {toy.scale(computeTile(ipu), in[ipu], out[ipu])});
  }
  /// A load beside so many compute steps on each IPU.
  Program loadBeside(const std::vector<std::uint64_t>& counts) {
    std::vector<Program> body;
    for (std::uint32_t i = 0; i < counts.size(); ++i) body.push_back(compute(i, counts[i]));
    return overlap(load(), std::move(body));
  }
  ToyGraph toy;
  Tensor row;
  std::vector<Tensor> in;  ///< one entry per IPU
  std::vector<Tensor> out;
  RemoteBufferId buffer{};
};

ChipResult resultOn(const System& system, IoGraph& io, std::vector<Program> steps) {
  for (Program& step : steps) io.toy.graph.program().add(std::move(step));
  return resultOf(compile(io.toy.graph, system));
}

Cycles endOn(const System& system, IoGraph& io, std::vector<Program> steps) {
  return resultOn(system, io, std::move(steps)).end;
}

TEST(Overlap, TakesTheLongerOfTransferAndCompute) {
  for (const std::uint64_t count : {1U, 2U, 3U, 50U}) {
    IoGraph io;
    EXPECT_EQ(endOn(streamingPod(1, kTiles), io, {io.loadBeside({count})}),
              Cycles(std::max<std::uint64_t>(kStart + 23, 10 + 60 * count)));
  }
}

TEST(Overlap, HidesTheTransfersOfALoop) {
  // First load + n times the longer of both, where a loop without overlap takes the sum.
  IoGraph io;
  EXPECT_EQ(endOn(streamingPod(1, kTiles), io, {io.load(), repeat(100, {io.loadBeside({4})})}),
            Cycles(kStart + 23 + std::uint64_t{100} * (10 + 240)));
}

TEST(Overlap, LetsExchangesOfAllIpusPassMeanwhile) {
  IoGraph io({16, 16});
  Graph& graph = io.toy.graph;
  const Tensor far = io.toy.on(computeTile(1, 3), 16, Lifetime::Always);
  Program body;
  body.add(graph.copy(io.in[0], far, "there"));
  body.add(graph.copy(far, io.in[0], "back"));
  const Program step = overlap(io.load(), {body});
  // Two exchanges of 10 + 10 + 50 + 17 cycles take longer than 100 + 34.
  EXPECT_EQ(endOn(streamingPod(2, kTiles), io, {step, step, step}),
            Cycles(std::uint64_t{3} * (10 + 10 + 2 * 87)));
}

// A step of a loop on several IPUs takes a sync, the external sync, and then the longest of the
// transfer and the compute steps of all IPUs: no IPU runs ahead.

TEST(OverlapInALoop, TakesTheComputeOfTheSlowestIpu) {
  IoGraph io({16, 16});
  // 300 cycles against 100 + 34.
  EXPECT_EQ(endOn(streamingPod(2, kTiles), io, {repeat(1000, {io.loadBeside({1, 5})})}),
            Cycles(std::uint64_t{1000} * (10 + 10 + 300)));
}

TEST(OverlapInALoop, TakesATransferThatIsLonger) {
  IoGraph io({64, 16});
  // 100 + 34 + 68 cycles against 180.
  EXPECT_EQ(endOn(streamingPod(2, kTiles), io, {repeat(1000, {io.loadBeside({1, 3})})}),
            Cycles(std::uint64_t{1000} * (10 + 10 + 202)));
}

TEST(OverlapInALoop, SharesTheRateOfAMachine) {
  IoGraph together({16, 16, 16, 16});
  EXPECT_EQ(endOn(streamingPod(4, kTiles), together, {repeat(10, {together.loadBeside({1, 2})})}),
            Cycles(std::uint64_t{10} * (10 + 20 + 100 + 68)));
  IoGraph pairs({16, 16, 16, 16});
  EXPECT_EQ(endOn(streamingPod(4, kTiles, ", streaming_ipus = 2"), pairs,
                  {repeat(10, {pairs.loadBeside({1, 2})})}),
            Cycles(std::uint64_t{10} * (10 + 20 + 100 + 34)));
  IoGraph slow({16, 16, 16, 16});
  EXPECT_EQ(endOn(streamingPod(4, kTiles), slow, {repeat(10, {slow.loadBeside({1, 2, 3, 4})})}),
            Cycles(std::uint64_t{10} * (10 + 20 + 240)));
}

TEST(OverlapInALoop, BringsIpusTogetherThatComeAtDifferentTimes) {
  IoGraph io({16, 16});
  const ChipResult result = resultOn(streamingPod(2, kTiles), io,
                                     {io.compute(1, 100), repeat(50, {io.loadBeside({3, 1})})});
  EXPECT_EQ(result.end, Cycles(6000 + std::uint64_t{50} * (10 + 10 + 180)));
}

TEST(OverlapInALoop, IsMultipliedAfterTwoIterations) {
  IoGraph io({16, 16});
  io.toy.graph.program().add(repeat(1'000'000'000, {io.loadBeside({1, 5})}));
  const Executable executable = compile(io.toy.graph, streamingPod(2, kTiles));
  EXPECT_EQ(resultOf(executable).end, Cycles(320'000'000'000));
  // Two iterations of the loop, and two of each loop of compute steps inside.
  const ChipResult chip = models::closedForm(executable.programs).chips.front();
  EXPECT_EQ(chip.iterations_simulated, 2U + 2U * (1 + 2));
}

TEST(OverlapInALoop, StandsInALoopOfLoops) {
  IoGraph io({16, 16});
  const Program inner = repeat(7, {io.loadBeside({4, 1})});
  const std::uint64_t round = std::uint64_t{7} * (10 + 10 + 240);
  // What follows the inner loop is hidden on IPU 1, which is 100 cycles ahead: 240 against 100 + 34
  // and 60.
  EXPECT_EQ(endOn(streamingPod(2, kTiles), io, {repeat(3, {inner, io.compute(1, 1)})}),
            Cycles(3 * round));
  IoGraph late({16, 16});
  EXPECT_EQ(endOn(streamingPod(2, kTiles), late,
                  {repeat(3, {repeat(7, {late.loadBeside({4, 1})}), late.compute(0, 1)})}),
            Cycles(3 * (round + 60)));
}

TEST(OverlapInALoop, LetsExchangesOfAllIpusPassMeanwhile) {
  IoGraph io({16, 16});
  const Program there =
      io.toy.graph.copy(io.in[0], io.toy.on(computeTile(1, 3), 16, Lifetime::Always), "there");
  // Three exchanges of 10 + 10 + 50 + 17 cycles beside each transfer.
  EXPECT_EQ(
      endOn(streamingPod(2, kTiles), io, {repeat(20, {overlap(io.load(), {repeat(3, {there})})})}),
      Cycles(std::uint64_t{20} * (10 + 10 + 3 * 87)));
}

TEST(OverlapInALoop, SaysWhenItsTransferBegins) {
  IoGraph io({16, 16});
  io.toy.graph.program().add(repeat(10, {io.loadBeside({5, 1})}));
  const Executable executable = compile(io.toy.graph, streamingPod(2, kTiles));
  ASSERT_EQ(executable.lowered.steps[1].kind, StepKind::RemoteBegin);
  const StepSpan span = resultOf(executable).spans[1];
  EXPECT_EQ(span.start, Cycles(10));
  EXPECT_EQ(span.end, Cycles(9 * 320 + 20));
}

TEST(Overlap, SaysWhenItsTransferBegins) {
  IoGraph io;
  io.toy.graph.program().add(repeat(10, {io.loadBeside({5})}));
  const Executable executable = compile(io.toy.graph, streamingPod(1, kTiles));
  ASSERT_EQ(executable.lowered.steps[1].kind, StepKind::RemoteBegin);
  const StepSpan span = resultOf(executable).spans[1];
  EXPECT_EQ(span.start, Cycles(10));
  EXPECT_EQ(span.end, Cycles(9 * 310 + 10));
}

/// A random program of computes, copies, transfers and overlaps on some IPUs, in nested loops.
/// Equal seeds give equal programs, with their loops or with the bodies written out.
class RandomSteps {
 public:
  RandomSteps(std::uint32_t ipus, std::uint32_t seed, bool written_out)
      : io(floatsOf(ipus, seed)), ipus_(ipus), written_out_(written_out), random_(seed) {}

  Program steps(std::uint32_t depth, bool beside_transfer = false) {
    Program program;
    for (std::uint32_t i = 1 + below(3); i > 0; --i) program.add(step(depth, beside_transfer));
    return program;
  }

  IoGraph io;

 private:
  static std::vector<std::uint64_t> floatsOf(std::uint32_t ipus, std::uint32_t seed) {
    std::vector<std::uint64_t> floats;
    for (std::uint32_t i = 0; i < ipus; ++i) floats.push_back(1 + (seed + i) * 37 % 150);
    return floats;
  }
  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_()) % end; }

  Program step(std::uint32_t depth, bool beside_transfer) {
    const std::uint32_t kind = below(beside_transfer ? 3 : 6);
    if (kind == 0 && depth > 0) return loop(1 + below(4), steps(depth - 1, beside_transfer));
    if (kind == 1) return copyToAnyIpu();
    if (kind <= 3) return loop(1 + below(4), computeOnAnyIpu());
    if (kind == 4) return transfer();
    return overlap(transfer(), {steps(1, true)});
  }
  [[nodiscard]] Program loop(std::uint64_t count, const Program& body) const {
    if (!written_out_) return repeat(count, {body});
    return sequence(std::vector<Program>(count, body));
  }
  Program computeOnAnyIpu() {
    const std::uint32_t ipu = below(ipus_);
    return io.toy.scale(computeTile(ipu), io.in[ipu], io.out[ipu]);
  }
  Program copyToAnyIpu() {
    const std::uint32_t from = below(ipus_);
    const Tensor to = io.toy.on(computeTile(below(ipus_), 2 + below(3)), 16, Lifetime::Always);
    return io.toy.graph.copy(io.in[from], to, "copy");
  }
  Program transfer() {
    if (below(2) == 0) return io.load();
    return io.toy.graph.store(io.row, io.buffer, kOtherRow, "store");
  }

  std::uint32_t ipus_;
  bool written_out_;
  std::mt19937 random_;
};

ChipResult randomResult(std::uint32_t seed, bool written_out) {
  const std::uint32_t ipus = 1U << (seed % 3);
  RandomSteps random(ipus, seed, written_out);
  const std::string machine = ", streaming_ipus = " + std::to_string(1 + seed % 4);
  return resultOn(streamingPod(ipus, kTiles, machine), random.io, {random.steps(2)});
}

TEST(Overlap, EnginesAgreeOnRandomProgramsAndOnThemWithoutLoops) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ChipResult looped = randomResult(seed, false);
    const ChipResult written_out = randomResult(seed, true);
    EXPECT_EQ(looped.finish, written_out.finish);
  }
}

TEST(Overlap, IsMissedByNoIpu) {
  IoGraph io({16, 16});
  io.toy.graph.program().add(io.loadBeside({1, 2}));
  SystemPrograms programs = everyChip(compile(io.toy.graph, streamingPod(2, kTiles)).programs);
  for (TileProgram& tile : programs.chips[1].tiles) {
    std::vector<TileOp>& ops = tile.ops.edit();
    const auto is_remote = [](const TileOp& op) {
      return op.kind == OpKind::RemoteBegin || op.kind == OpKind::RemoteEnd;
    };
    ops.erase(std::remove_if(ops.begin(), ops.end(), is_remote), ops.end());
  }
  const auto names_it = testing::ThrowsMessage<InternalError>(
      HasSubstr("IPU 1 never comes to remote transfer 0, where the others"));
  EXPECT_THAT([&] { models::closedForm(programs); }, names_it);
  EXPECT_THAT([&] { models::simulateSystem(programs); }, names_it);
}

TEST(Overlap, NeedsEnoughIoTilesThatItsStepsLeaveAlone) {
  IoGraph io;
  Graph& graph = io.toy.graph;
  graph.program().add(overlap(io.load(), {io.toy.scale(3, io.in[0], io.out[0])}));
  EXPECT_EQ(graphErrorOf([&] { compile(graph, streamingPod(1, kTiles)); }),
            "the steps beside remote copy load: wanted steps that leave the I/O tiles alone, found "
            "a vertex on tile 3");
  graph.setIoTiles({TileId(0), TileId(1)});
  EXPECT_EQ(graphErrorOf([&] { compile(graph, streamingPod(1, kTiles)); }),
            "I/O tiles: wanted an even number of at least 32 on IPU 0, found 2");
  graph.setIoTiles({});
  EXPECT_THAT(graphErrorOf([&] { compile(graph, streamingPod(1, kTiles)); }),
              HasSubstr("remote copy load: wanted a tensor on I/O tiles for an Overlap"));
}

TEST(Overlap, HasNoTransferInsideAnother) {
  IoGraph io;
  Graph& graph = io.toy.graph;
  graph.program().add(overlap(io.load(), {io.load()}));
  EXPECT_THAT(graphErrorOf([&] { compile(graph, streamingPod(1, kTiles)); }),
              HasSubstr("found remote copy load"));
}

}  // namespace
}  // namespace ipusim::compiler
