// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/lower/shared_reads.h"

#include <gmock/gmock.h>

#include <tuple>

#include "tests/compile/toy_graph.h"

namespace ipusim::compiler {

using testing::ElementsAre;

namespace {

/// Sender, bytes, and where the message lands: tile and offset of each receiver.
using Sent =
    std::tuple<std::uint32_t, std::uint64_t, std::vector<std::pair<std::uint32_t, std::uint64_t>>>;

std::vector<Sent> sentBy(const Executable& executable) {
  std::vector<Sent> sent;
  const auto tile_of = [&](BlockId block) {
    return executable.lowered.blocks[indexOf(block)].tile.tile();
  };
  for (const Step& step : executable.lowered.steps) {
    const Messages& messages = step.messages;
    messages.forEach([&](const Message& message) {
      Sent one{tile_of(message.from), messages.formOf(message).bytes().value(), {}};
      messages.forEachDestination(message, [&](const Destination& destination) {
        std::get<2>(one).emplace_back(tile_of(destination.block), destination.offset.value());
      });
      sent.push_back(std::move(one));
    });
  }
  return sent;
}

/// Eight floats: four on tile 0, four on tile 1.
Tensor spread(ToyGraph& toy) {
  const Tensor tensor = toy.graph.addVariable(ElementType::Float, {8}, "spread", Lifetime::Always);
  toy.graph.setTileMapping(tensor.slice(0, 4, 0), TileId(0));
  toy.graph.setTileMapping(tensor.slice(4, 8, 0), TileId(1));
  return tensor;
}

}  // namespace

TEST(SharedReads, GoToAllTilesThatWantThemInOneMessageEach) {
  ToyGraph toy;
  const Tensor from = spread(toy);
  const Tensor a = toy.on(2, 8, Lifetime::Always);
  const Tensor b = toy.on(3, 12, Lifetime::Always);
  toy.graph.program().add(toy.graph.copy({{from, a}, {from, b.slice(4, 12, 0)}}, "copy"));
  EXPECT_THAT(sentBy(toy.compile()),
              ElementsAre(Sent{0, 16, {{2, 0}, {3, 16}}}, Sent{1, 16, {{2, 16}, {3, 32}}}));
}

TEST(SharedReads, StayOnTheTileThatTheyComeFrom) {
  ToyGraph toy;
  const Tensor from = spread(toy);
  const Tensor own = toy.on(0, 8, Lifetime::Always);
  const Tensor a = toy.on(2, 8, Lifetime::Always);
  const Tensor b = toy.on(3, 8, Lifetime::Always);
  toy.graph.program().add(toy.graph.copy({{from, own}, {from, a}, {from, b}}, "copy"));
  const Executable executable = toy.compile();
  EXPECT_THAT(kindsOf(executable),
              ElementsAre(StepKind::OnTileCopy, StepKind::Sync, StepKind::Exchange));
  EXPECT_THAT(sentBy(executable),
              ElementsAre(Sent{1, 16, {{0, 16}, {2, 16}, {3, 16}}}, Sent{0, 16, {{2, 0}, {3, 0}}}));
}

TEST(SharedReads, OfOneOtherTileAreMessagesToOneReceiver) {
  ToyGraph toy;
  const Tensor from = spread(toy);
  const Tensor own = toy.on(0, 8, Lifetime::Always);
  const Tensor a = toy.on(2, 8, Lifetime::Always);
  toy.graph.program().add(toy.graph.copy({{from, own}, {from, a}}, "copy"));
  EXPECT_THAT(sentBy(toy.compile()),
              ElementsAre(Sent{1, 16, {{0, 16}, {2, 16}}}, Sent{0, 16, {{2, 0}}}));
}

TEST(SharedReads, JoinOtherMessagesOfEqualDataInTheOrderOfTheMoves) {
  ToyGraph toy;
  const Tensor from = spread(toy);
  const Tensor a = toy.on(2, 8, Lifetime::Always);
  const Tensor b = toy.on(3, 6, Lifetime::Always);
  const Tensor c = toy.on(3, 8, Lifetime::Always);
  toy.graph.program().add(toy.graph.copy({{from, a}, {from.slice(0, 6, 0), b}, {from, c}}, "copy"));
  EXPECT_THAT(sentBy(toy.compile()),
              ElementsAre(Sent{0, 16, {{2, 0}, {3, 0}, {3, 0}}}, Sent{1, 16, {{2, 16}, {3, 16}}},
                          Sent{1, 8, {{3, 16}}}));
}

}  // namespace ipusim::compiler
