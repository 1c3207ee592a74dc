// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "models/ipu/program/system_program.h"
#include "sim/compile/compile.h"
#include "tests/compile/toy_graph.h"
#include "tests/support/toy_pod.h"

namespace ipusim::compiler {
namespace {

using models::toySystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// A graph that copies `elements` floats from tile 1 of IPU 0 to tile 2 of IPU 1, with a step of
/// `stride` elements at the target.
struct CopyToOtherIpu {
  explicit CopyToOtherIpu(std::uint64_t elements, std::uint64_t stride = 1) {
    const Tensor from = toy.on(1, elements, Lifetime::Always);
    const Tensor to = toy.on(4 + 2, elements * stride, Lifetime::Always);
    const Tensor column = to.reshape({elements, stride}).slice(0, 1, 1).reshape({elements});
    toy.graph.program().add(toy.graph.copy(from, column, "copy"));
  }
  ToyGraph toy;
};

Bytes bytesOf(const Executable& executable, std::uint32_t tile, MemoryCategory category) {
  return executable.memory.tiles[tile].at_peak[indexOf(category)];
}

TEST(CompileForPod, SendsConsecutiveBytesInOneGlobalExchange) {
  const CopyToOtherIpu copy(32);
  const Executable executable = compile(copy.toy.graph, toySystem(2));
  EXPECT_THAT(kindsOf(executable), ElementsAre(StepKind::Sync, StepKind::GlobalExchange));
  EXPECT_EQ(executable.traffic.volumes[1].bytes, Bytes(128));
  EXPECT_EQ(executable.traffic.volumes[1].messages, 1U);
  EXPECT_EQ(executable.system.tiles(), 8U);
}

TEST(CompileForPod, LandsScatteredBytesInABufferOfTheReceiver) {
  const CopyToOtherIpu copy(32, 2);
  const Executable executable = compile(copy.toy.graph, toySystem(2));
  EXPECT_THAT(kindsOf(executable),
              ElementsAre(StepKind::Sync, StepKind::GlobalExchange, StepKind::OnTileCopy));
  EXPECT_EQ(bytesOf(executable, 6, MemoryCategory::MessageBuffers), Bytes(128));
  EXPECT_EQ(bytesOf(executable, 1, MemoryCategory::MessageBuffers), Bytes(0));
}

TEST(CompileForPod, KeepsAHeaderForEachPacketOnTheSender) {
  const CopyToOtherIpu copy(33);  // 132 B in packets of 64 B
  const Executable executable = compile(copy.toy.graph, toySystem(2));
  EXPECT_EQ(bytesOf(executable, 1, MemoryCategory::GlobalExchangeHeaders), Bytes(4) * 3);
  EXPECT_EQ(bytesOf(executable, 6, MemoryCategory::GlobalExchangeHeaders), Bytes(0));
}

TEST(CompileForPod, CountsCodeForTheTilesThatTakePart) {
  System system = toySystem(2);
  system.ipu.code.exchange_entry = Bytes(100);
  system.ipu.code.exchange_per_send = Bytes(8);
  const CopyToOtherIpu copy(33);
  const Executable executable = compile(copy.toy.graph, system);
  EXPECT_EQ(bytesOf(executable, 1, MemoryCategory::GlobalExchangeCode), Bytes(100 + 3 * 8));
  EXPECT_EQ(bytesOf(executable, 6, MemoryCategory::GlobalExchangeCode), Bytes(100));
  EXPECT_EQ(bytesOf(executable, 0, MemoryCategory::GlobalExchangeCode), Bytes(0));
}

// A vertex input that every tile of both IPUs wants goes over the links once.
TEST(CompileForPod, SendsWhatManyTilesWantOnceToEachIpu) {
  ToyGraph toy;
  const Tensor in = toy.on(0, 16, Lifetime::Always);
  const auto set = toy.graph.addComputeSet("scale");
  for (std::uint32_t t = 0; t < 8; ++t) {
    const Tensor out = toy.on(t, 16, Lifetime::Always);
    toy.graph.addVertices(
        set, {shared(workloads::scaleVertex(2.0F, 16)), TileId(t), 1, {{in.view()}, {out.view()}}});
  }
  toy.graph.program().add(execute(set));
  const Executable executable = compile(toy.graph, toySystem(2));
  EXPECT_THAT(kindsOf(executable), ElementsAre(StepKind::Sync, StepKind::Exchange, StepKind::Sync,
                                               StepKind::GlobalExchange, StepKind::Sync,
                                               StepKind::Exchange, StepKind::Compute));
  EXPECT_EQ(executable.traffic.volumes[3].bytes, Bytes(64));
  EXPECT_EQ(executable.traffic.volumes[5].bytes, Bytes(64) * 3);
}

/// A graph that copies 16 floats from tile 0 of IPU 0 to each of `tiles`, with a step of `stride`
/// elements at the target.
ToyGraph copyToTiles(const std::vector<std::uint32_t>& tiles, std::uint64_t stride = 1) {
  ToyGraph toy;
  const Tensor from = toy.on(0, 16, Lifetime::Always);
  std::vector<CopyPair> pairs;
  for (const std::uint32_t tile : tiles) {
    const Tensor to = toy.on(tile, 16 * stride, Lifetime::Always);
    pairs.push_back({from, to.reshape({16, stride}).slice(0, 1, 1).reshape({16})});
  }
  toy.graph.program().add(toy.graph.copy(pairs, "spread"));
  return toy;
}

// Three tiles of IPU 1, two of IPU 2 and one of the own IPU.
TEST(CompileForPod, CopiesEqualDataOnceToEachIpuAndSpreadsThemThere) {
  const ToyGraph toy = copyToTiles({3, 4, 5, 7, 8, 10});
  const Executable executable = compile(toy.graph, toySystem(4));
  EXPECT_THAT(kindsOf(executable),
              ElementsAre(StepKind::Sync, StepKind::Exchange, StepKind::Sync,
                          StepKind::GlobalExchange, StepKind::Sync, StepKind::Exchange));
  EXPECT_EQ(executable.traffic.volumes[3].bytes, Bytes(64) * 2);
  EXPECT_EQ(executable.traffic.volumes[3].messages, 2U);
  EXPECT_EQ(executable.traffic.volumes[5].bytes, Bytes(64) * 3);
}

// The first tile of the other IPU unpacks what landed, and sends it on from there.
TEST(CompileForPod, SpreadsScatteredDataFromWhereTheyWereUnpacked) {
  const ToyGraph toy = copyToTiles({5, 6}, 3);
  const Executable executable = compile(toy.graph, toySystem(2));
  EXPECT_THAT(kindsOf(executable),
              ElementsAre(StepKind::Sync, StepKind::GlobalExchange, StepKind::OnTileCopy,
                          StepKind::Sync, StepKind::Exchange));
  EXPECT_EQ(executable.traffic.volumes[1].bytes, Bytes(64));
  EXPECT_EQ(executable.traffic.volumes[4].bytes, Bytes(64));
}

// A tile is not sent what it has itself: the second copy goes over the links as well.
TEST(CompileForPod, CopiesTwiceToATileThatWantsTheDataTwice) {
  const ToyGraph toy = copyToTiles({6, 6});
  const Executable executable = compile(toy.graph, toySystem(2));
  EXPECT_THAT(kindsOf(executable), ElementsAre(StepKind::Sync, StepKind::GlobalExchange));
  EXPECT_EQ(executable.traffic.volumes[1].bytes, Bytes(64) * 2);
}

TEST(CompileForPod, SharesTheProgramOfIpusThatDoTheSame) {
  ToyGraph toy;
  for (const std::uint32_t ipu : {0U, 1U, 2U, 3U}) {
    const std::uint64_t elements = ipu == 3 ? 32 : 16;
    const Tensor from = toy.on(4 * ipu, elements, Lifetime::Always);
    const Tensor to = toy.on(4 * ipu + 3, elements, Lifetime::Always);
    toy.graph.program().add(toy.graph.copy(from, to, "copy" + std::to_string(ipu)));
  }
  // Four steps, and each IPU takes part in one of them: all programs differ.
  EXPECT_EQ(compile(toy.graph, toySystem(4)).programs.chips.size(), 4U);

  ToyGraph together;
  std::vector<CopyPair> pairs;
  for (const std::uint32_t ipu : {0U, 1U, 2U, 3U}) {
    const std::uint64_t elements = ipu == 3 ? 32 : 16;
    pairs.push_back({together.on(4 * ipu, elements, Lifetime::Always),
                     together.on(4 * ipu + 3, elements, Lifetime::Always)});
  }
  together.graph.program().add(together.graph.copy(pairs, "copy"));
  const SystemPrograms programs = compile(together.graph, toySystem(4)).programs;
  EXPECT_EQ(programs.chips.size(), 2U);
  EXPECT_THAT(programs.chip_of_ipu, ElementsAre(0U, 0U, 0U, 1U));
}

TEST(CompileForPod, WithOneIpuIsTheProgramOfTheMachine) {
  ToyGraph toy;
  const Tensor in = toy.on(1, 16);
  const Tensor out = toy.on(2, 16);
  toy.graph.program().add(toy.scale(3, in, out));
  const Executable on_pod = compile(toy.graph, toySystem(1));
  EXPECT_TRUE(areEqual(on_pod.programs.only(), toy.compile().programs.only()));
  EXPECT_TRUE(on_pod.programs.exchanges.empty());
  EXPECT_EQ(on_pod.system.tiles(), 4U);
}

TEST(CompileForPod, SaysInOneLineWhichIpusNoLinksJoin) {
  System system = toySystem(4);
  system.route = RouteRule::Shortest;
  system.links = {{0, 2, 1, 1'000'000'000}, {2, 0, 1, 1'000'000'000}};
  const CopyToOtherIpu copy(4);
  EXPECT_THAT([&] { compile(copy.toy.graph, system); },
              ThrowsMessage<ConfigError>(
                  HasSubstr("wanted links that lead from IPU 0 to IPU 1, found none")));
}

TEST(CompileForPod, NamesATileBeyondTheLastIpu) {
  ToyGraph toy;
  toy.on(8, 4);
  EXPECT_THAT([&] { compile(toy.graph, toySystem(2)); },
              ThrowsMessage<GraphError>(HasSubstr("wanted a tile below 8, found tile 8")));
}

TEST(VerifyPod, NamesTheIpuThatNeverComesToAnExchange) {
  const CopyToOtherIpu copy(4);
  SystemPrograms programs = everyChip(compile(copy.toy.graph, toySystem(2)).programs);
  for (TileProgram& tile : programs.chips[1].tiles) tile.ops.edit().pop_back();
  EXPECT_THAT([&] { verify(programs); },
              ThrowsMessage<InternalError>(HasSubstr("IPU 1 never comes to global exchange 0")));
}

}  // namespace
}  // namespace ipusim::compiler
