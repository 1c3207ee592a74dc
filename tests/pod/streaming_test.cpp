// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "ipusim/error.h"
#include "tests/pod/streaming_pod.h"
#include "tests/support/thrown.h"

// Remote copies on toy IPUs: see streaming_pod.h for their times.

namespace ipusim::compiler {
namespace {

using testing::HasSubstr;

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

Cycles endOfLoad(const std::vector<std::uint64_t>& floats, const System& system) {
  RowsOnIpus rows(floats);
  rows.toy.graph.program().add(rows.toy.graph.load(rows.buffer, kOtherRow, rows.row, "load"));
  return resultOf(compile(rows.toy.graph, system)).end;
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

// The engines count bytes in 2^20 cycles of 1 ns, here one for each of four IPUs.
TEST(Streaming, IsAsSlowAsAByteIn2To20Cycles) {
  const System system = streamingPod(1, 4, "",
                                     ", streaming_bytes_per_second = 3_815"
                                     ", streaming_ipu_bytes_per_second = 954");
  EXPECT_EQ(endOfLoad({1}, system), Cycles(kStart + (std::uint64_t{68} << 20U)));
}

TEST(Streaming, HasAMemoryOnEveryMachine) {
  const System pairs = streamingPod(4, 4, ", streaming_ipus = 2");
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
  EXPECT_EQ(graphErrorOf([&] { compile(rows.toy.graph, readSystem("c600")); }),
            "remote buffer rows: wanted a system with streaming memory, found c600");
  EXPECT_THAT(graphErrorOf([&] { compile(rows.toy.graph, readSystem("c2-pod16")); }),
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

}  // namespace
}  // namespace ipusim::compiler
