// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "ipusim/chip/simulate_chip.h"
#include "ipusim/error.h"
#include "models/ipu/closed_form/closed_form.h"
#include "models/ipu/pod/simulate_pod.h"
#include "sim/compile/compile.h"
#include "tests/compile/toy_graph.h"
#include "tests/support/thrown.h"
#include "tests/support/toy_pod.h"

// Remote copies on toy IPUs. A sync inside an IPU takes 10 cycles, the external sync 10 cycles on
// up to three IPUs and 20 on four, a transfer 100 cycles besides its bytes. A memory moves 4 bytes
// per cycle, 3 of them for one IPU. A packet holds 64 bytes and has a header of 4.

namespace ipusim::compiler {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kRow = 0;
constexpr std::uint64_t kOtherRow = 3;
constexpr std::uint64_t kStart = 10 + 10 + 100;
constexpr std::uint64_t kStartOfFour = 10 + 20 + 100;

const std::string kRates =
    ", streaming_bytes_per_second = 4_000_000_000, streaming_ipu_bytes_per_second = 3_000_000_000";

Pod streamingPod(std::uint32_t ipus, std::uint32_t tiles = 4, const std::string& more = "",
                 const std::string& rates = kRates) {
  std::string text = "machine = " + models::toyPodTable(ipus, tiles);
  text.insert(text.size() - 1, rates + more);
  return readMachineOrPod(ConfigReader::fromText(text, "streaming_pod.toml"));
}

void expectEqual(const ChipResult& a, const ChipResult& b) {
  EXPECT_EQ(a.busy, b.busy);
  EXPECT_EQ(a.finish, b.finish);
  EXPECT_EQ(a.end, b.end);
}

/// The result of both engines, of all chips and of the distinct ones, which must agree.
ChipResult resultOf(const Executable& executable) {
  if (!executable.pod) {
    ChipResult closed_form = models::closedForm(executable.programs);
    expectEqual(closed_form, simulateChip(executable.programs));
    return closed_form;
  }
  const PodPrograms& programs = executable.pod->programs;
  const PodPrograms every = everyChip(programs);
  ChipResult closed_form = overAllIpus(programs, models::closedForm(programs));
  expectEqual(closed_form, overAllIpus(programs, simulatePod(programs)));
  expectEqual(closed_form, overAllIpus(every, models::closedForm(every)));
  expectEqual(closed_form, overAllIpus(every, simulatePod(every)));
  return closed_form;
}

/// A graph whose rows have so many floats on tile `tile` of each IPU.
struct RowsOnIpus {
  explicit RowsOnIpus(const std::vector<std::uint64_t>& floats, std::uint32_t tile = 0) {
    std::vector<Tensor> parts;
    for (std::size_t i = 0; i < floats.size(); ++i) {
      const auto on = static_cast<std::uint32_t>(4 * i + tile);
      parts.push_back(toy.on(on, floats[i], Lifetime::Always));
    }
    row = concat(parts, 0);
    buffer = toy.graph.addRemoteBuffer(ElementType::Float, row.elements(), 8, "rows");
  }
  ToyGraph toy;
  Tensor row;
  RemoteBufferId buffer{};
};

Cycles endOfLoad(const std::vector<std::uint64_t>& floats, const Pod& pod) {
  RowsOnIpus rows(floats);
  rows.toy.graph.program().add(rows.toy.graph.load(rows.buffer, kOtherRow, rows.row, "load"));
  return resultOf(compile(rows.toy.graph, pod)).end;
}

TEST(Streaming, TakesWholePacketsAtTheRateOfAnIpu) {
  EXPECT_EQ(endOfLoad({16}, streamingPod(1)), Cycles(kStart + 23));  // 68 / 3
  EXPECT_EQ(endOfLoad({1}, streamingPod(1)), Cycles(kStart + 23));
  EXPECT_EQ(endOfLoad({17}, streamingPod(1)), Cycles(kStart + 46));  // 136 / 3
}

TEST(Streaming, IsNoFasterThanTheTileThatSends) {
  const std::string fast =
      ", streaming_bytes_per_second = 40_000_000_000, "
      "streaming_ipu_bytes_per_second = 40_000_000_000";
  EXPECT_EQ(endOfLoad({16}, streamingPod(1, 4, "", fast)), Cycles(kStart + 17));  // 68 / 4
}

TEST(Streaming, SharesTheRateAmongTheIpusThatTransfer) {
  EXPECT_EQ(endOfLoad({16, 16, 16, 16}, streamingPod(4)), Cycles(kStartOfFour + 68));
  // 34 cycles at 2 bytes each; then IPU 0 has 204 bytes left, which it gets at 3.
  EXPECT_EQ(endOfLoad({64, 16}, streamingPod(2)), Cycles(kStart + 34 + 68));
}

TEST(Streaming, HasAMemoryOnEveryMachine) {
  const Pod pairs = streamingPod(4, 4, ", streaming_ipus = 2");
  EXPECT_EQ(endOfLoad({16, 16, 16, 16}, pairs), Cycles(kStartOfFour + 34));
  // The longest machine counts: the second, whose IPU 2 has it alone.
  EXPECT_EQ(endOfLoad({16, 16, 64}, pairs), Cycles(kStartOfFour + 91));  // 272 / 3
}

TEST(Streaming, WaitsForTheLastIpu) {
  RowsOnIpus rows({16, 16});
  ToyGraph& toy = rows.toy;
  const Tensor in = toy.on(7, 16, Lifetime::Always);
  toy.graph.program().add(toy.scale(7, in, toy.on(7, 16, Lifetime::Always)));
  toy.graph.program().add(toy.graph.store(rows.row, rows.buffer, kRow, "store"));
  const ChipResult result = resultOf(compile(toy.graph, streamingPod(2)));
  EXPECT_EQ(result.end, Cycles(60 + kStart + 34));
}

TEST(Streaming, RepeatsAreMultiplied) {
  RowsOnIpus rows({16, 64});
  Graph& graph = rows.toy.graph;
  Program body;
  body.add(graph.load(rows.buffer, kRow, rows.row, "load"));
  body.add(graph.store(rows.row, rows.buffer, kOtherRow, "store"));
  graph.program().add(repeat(1000, {std::move(body)}));
  const ChipResult result = resultOf(compile(graph, streamingPod(2)));
  EXPECT_EQ(result.end, Cycles(2000 * (kStart + 102)));
}

/// On each IPU, 32 I/O tiles and then 32 others.
constexpr std::uint32_t kTiles = 64;
constexpr std::uint32_t kIoTiles = 32;

/// A graph on I/O tiles and others, whose steps beside a transfer take 60 cycles each.
struct IoGraph {
  explicit IoGraph(std::uint32_t ipus = 1) {
    std::vector<TileId> io;
    std::vector<Tensor> parts;
    for (std::uint32_t i = 0; i < ipus; ++i) {
      for (std::uint32_t t = 0; t < kIoTiles; ++t) io.emplace_back(i * kTiles + t);
      parts.push_back(toy.on(i * kTiles, 16, Lifetime::Always));
    }
    toy.graph.setIoTiles(io);
    row = concat(parts, 0);
    buffer = toy.graph.addRemoteBuffer(ElementType::Float, row.elements(), 8, "rows");
    in = toy.on(kIoTiles + 1, 16, Lifetime::Always);
    out = toy.on(kIoTiles + 1, 16, Lifetime::Always);
  }
  Program load() { return toy.graph.load(buffer, kRow, row, "load"); }
  std::vector<Program> scales(std::uint64_t count) {
    return {repeat(count, {toy.scale(kIoTiles + 1, in, out)})};
  }
  ToyGraph toy;
  Tensor row;
  Tensor in;
  Tensor out;
  RemoteBufferId buffer{};
};

TEST(Overlap, TakesTheLongerOfTransferAndCompute) {
  for (const std::uint64_t count : {1U, 2U, 3U, 50U}) {
    IoGraph io;
    io.toy.graph.program().add(overlap(io.load(), io.scales(count)));
    const ChipResult result = resultOf(compile(io.toy.graph, streamingPod(1, kTiles)));
    EXPECT_EQ(result.end, Cycles(std::max<std::uint64_t>(kStart + 23, 10 + 60 * count)));
  }
}

TEST(Overlap, HidesTheTransfersOfALoop) {
  // First load + n times the longer of both, where a loop without overlap takes the sum.
  IoGraph io;
  Graph& graph = io.toy.graph;
  graph.program().add(io.load());
  graph.program().add(repeat(100, {overlap(io.load(), io.scales(4))}));
  const ChipResult result = resultOf(compile(graph, streamingPod(1, kTiles)));
  EXPECT_EQ(result.end, Cycles(kStart + 23 + std::uint64_t{100} * (10 + 240)));
}

TEST(Overlap, LetsExchangesOfAllIpusPassMeanwhile) {
  IoGraph io(2);
  Graph& graph = io.toy.graph;
  const Tensor far = io.toy.on(kTiles + kIoTiles + 3, 16, Lifetime::Always);
  Program body;
  body.add(graph.copy(io.in, far, "there"));
  body.add(graph.copy(far, io.in, "back"));
  for (int i = 0; i < 3; ++i) graph.program().add(overlap(io.load(), {body}));
  const ChipResult result = resultOf(compile(graph, streamingPod(2, kTiles)));
  // Two exchanges of 10 + 10 + 50 + 17 cycles take longer than 10 + 100 + 34.
  EXPECT_EQ(result.end, Cycles(std::uint64_t{3} * (10 + 2 * 87)));
}

TEST(Streaming, EnginesAgreeOnRandomPrograms) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    std::mt19937 random(seed);
    const auto ipus = static_cast<std::uint32_t>(1U << (random() % 3));
    std::vector<std::uint64_t> floats;
    for (std::uint32_t i = 0; i < ipus; ++i) floats.push_back(1 + random() % 200);
    RowsOnIpus rows(floats, static_cast<std::uint32_t>(random() % 4));
    Graph& graph = rows.toy.graph;
    const Tensor in = rows.toy.on(static_cast<std::uint32_t>(random() % (std::uint64_t{4} * ipus)),
                                  16, Lifetime::Always);
    const Tensor out = rows.toy.on(static_cast<std::uint32_t>(random() % (std::uint64_t{4} * ipus)),
                                   16, Lifetime::Always);
    Program body;
    body.add(graph.load(rows.buffer, std::uint64_t{random() % 8}, rows.row, "load"));
    body.add(graph.copy(in, out, "copy"));
    body.add(graph.store(rows.row, rows.buffer, std::uint64_t{random() % 8}, "store"));
    graph.program().add(repeat(1 + random() % 5, {std::move(body)}));
    const std::string machine = ", streaming_ipus = " + std::to_string(1 + random() % 4);
    SCOPED_TRACE("seed " + std::to_string(seed));
    resultOf(compile(graph, streamingPod(ipus, 4, machine)));
  }
}

Bytes bytesOf(const Executable& executable, std::uint32_t tile, MemoryCategory category) {
  return executable.memory.tiles[tile].at_peak[static_cast<std::size_t>(category)];
}

TEST(Streaming, TakesAHeaderPerPacketOnTheTilesOfTheRow) {
  RowsOnIpus rows({17, 1});
  rows.toy.graph.program().add(rows.toy.graph.load(rows.buffer, kRow, rows.row, "load"));
  const Executable executable = compile(rows.toy.graph, streamingPod(2));
  EXPECT_EQ(bytesOf(executable, 0, MemoryCategory::HostExchangeHeaders), Bytes(8));
  EXPECT_EQ(bytesOf(executable, 4, MemoryCategory::HostExchangeHeaders), Bytes(4));
  EXPECT_EQ(bytesOf(executable, 1, MemoryCategory::HostExchangeHeaders), Bytes(0));
}

TEST(Streaming, FreesATensorBetweenItsStoreAndItsLoad) {
  ToyGraph toy;
  const Tensor in = toy.on(0, 1000, Lifetime::Always);
  const Tensor saved = toy.on(0, 1000);
  const Tensor other = toy.on(0, 1000);
  const Tensor out = toy.on(0, 1000, Lifetime::Always);
  const RemoteBufferId buffer = toy.graph.addRemoteBuffer(ElementType::Float, 1000, 1, "saved");
  for (const Program& step : std::vector<Program>{
           toy.scale(0, in, saved), toy.graph.store(saved, buffer, kRow, "store"),
           toy.scale(0, in, other), toy.scale(0, other, out),
           toy.graph.load(buffer, kRow, saved, "load"), toy.scale(0, saved, out)}) {
    toy.graph.program().add(step);
  }
  const Executable executable = compile(toy.graph, streamingPod(1));
  EXPECT_EQ(executable.memory.tiles[0].peak_not_always_live, Bytes(4000));
}

TEST(Streaming, AnotherSystemIsNamedThatHasNone) {
  RowsOnIpus rows({16});
  rows.toy.graph.program().add(rows.toy.graph.load(rows.buffer, kRow, rows.row, "load"));
  EXPECT_EQ(graphErrorOf([&] { compile(rows.toy.graph, readPod("c600")); }),
            "remote buffer rows: wanted a system with streaming memory, found c600");
  EXPECT_THAT(graphErrorOf([&] { compile(rows.toy.graph, readPod("c2-pod16")); }),
              HasSubstr("found c2-pod16"));
}

TEST(Streaming, BuffersMustFitThePartOfTheIpu) {
  RowsOnIpus rows({16, 1});
  rows.toy.graph.program().add(rows.toy.graph.load(rows.buffer, kRow, rows.row, "load"));
  // 8 rows of a packet of 64 bytes.
  EXPECT_NO_THROW(compile(rows.toy.graph, streamingPod(2, 4, ", streaming_bytes = 2_048")));
  EXPECT_EQ(
      graphErrorOf(
          [&] { compile(rows.toy.graph, streamingPod(2, 4, ", streaming_bytes = 2_047")); }),
      "remote buffer rows: wanted at most 511 bytes of streaming memory for IPU 0, found 512");
}

TEST(Streaming, ARowStaysOnItsIpu) {
  ToyGraph toy;
  const RemoteBufferId buffer = toy.graph.addRemoteBuffer(ElementType::Float, 16, 1, "rows");
  for (const std::uint32_t tile : {1U, 5U}) {
    const Tensor tensor = toy.on(tile, 16, Lifetime::Always);
    toy.graph.program().add(toy.graph.store(tensor, buffer, kRow, "on " + std::to_string(tile)));
  }
  EXPECT_EQ(graphErrorOf([&] { compile(toy.graph, streamingPod(2)); }),
            "remote copy on 5: wanted a tensor on the IPUs of the other copies of buffer rows, "
            "found one on others");
  EXPECT_NO_THROW(compile(toy.graph, streamingPod(1, 8)));
}

TEST(Overlap, NeedsEnoughIoTilesThatItsStepsLeaveAlone) {
  IoGraph io;
  Graph& graph = io.toy.graph;
  graph.program().add(overlap(io.load(), {io.toy.scale(3, io.in, io.out)}));
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

TEST(Overlap, StandsInNoLoopOnSeveralIpus) {
  IoGraph io(2);
  Graph& graph = io.toy.graph;
  graph.program().add(repeat(2, {overlap(io.load(), io.scales(1))}));
  EXPECT_THAT(graphErrorOf([&] { compile(graph, streamingPod(2, kTiles)); }),
              HasSubstr("remote copy load: wanted no Overlap in a loop on several IPUs"));
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
