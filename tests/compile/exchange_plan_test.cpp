// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/schedule/exchange_plan.h"

#include <gtest/gtest.h>

#include "tests/compile/toy_graph.h"

// The toy machine: tiles 0 and 1 share a bus, and so do 2 and 3; 4 bytes per cycle; no delays.

namespace ipusim::compiler {

namespace {

/// Tile 0 sends 40 floats to each of `receivers`, in one exchange.
Executable broadcastTo(const std::vector<std::uint32_t>& receivers) {
  ToyGraph toy;
  const Tensor data = toy.on(0, 40);
  std::vector<CopyPair> pairs;
  for (const std::uint32_t tile : receivers) pairs.push_back({data, toy.on(tile, 40)});
  toy.graph.program().add(toy.graph.copy(pairs, "broadcast"));
  return toy.compile();
}

ExchangePlan boundOf(const Executable& executable) {
  return planBoundExchange(executable.system.ipu, executable.lowered.steps[1],
                           executable.lowered.blocks);
}

/// The cycle in which each tile has ended in the bound.
std::vector<std::uint64_t> endsOf(const Executable& executable) {
  std::vector<std::uint64_t> ends;
  for (const TileExchange& tile : boundOf(executable).tiles) {
    ends.push_back(tile.ports_free.value());
  }
  return ends;
}

}  // namespace

TEST(ExchangePlan, AMulticastIsSentOnce) {
  const Executable executable = broadcastTo({1, 2});
  EXPECT_EQ(endsOf(executable), (std::vector<std::uint64_t>{40, 40, 40, 0}));
  const ExchangePlan plan = planScheduledExchange(
      executable.system.ipu, executable.lowered.steps[1], executable.lowered.blocks);
  ASSERT_EQ(plan.transmissions.size(), 1U);
  const Transmission& sent = plan.transmissions.front();
  EXPECT_EQ(sent.from, TileId(0));
  EXPECT_EQ(sent.lenders, 0U);
  EXPECT_EQ(sent.bytes, Bytes(160));
  EXPECT_EQ(plan.transmission_tiles, (std::vector<TileId>{TileId(1), TileId(2)}));
}

TEST(ExchangePlan, CountsTheWordsOfAMulticastOnceAndThoseOfEachListener) {
  const Executable executable = broadcastTo({1, 2});
  const Activity& activity = executable.traffic.volumes[1].activity;
  EXPECT_EQ(activity.sent_words, 40U);
  EXPECT_EQ(activity.received_words, 2U * 40);
  EXPECT_EQ(activity.spine_words, 40U);
  // Tiles 0 and 2 are one row from the spine, tile 1 is two.
  EXPECT_EQ(activity.column_word_rows, 40U * 1 + 40U * 2 + 40U * 1);
  Activity of_tiles;
  for (const Activity& tile : executable.traffic.activity_of_tile) of_tiles += tile;
  EXPECT_EQ(of_tiles, activity);
}

TEST(ExchangePlan, CountsEqualWordsWhenAStepIsSplit) {
  ToyGraph toy;
  const Tensor data = toy.on(0, 40);
  const Tensor at_1 = toy.on(1, 40);
  const Tensor at_2 = toy.on(2, 40);
  for (const std::uint64_t half : {0U, 20U}) {
    const Tensor part = data.slice(half, half + 20, 0);
    toy.graph.program().add(toy.graph.copy(
        {{part, at_1.slice(half, half + 20, 0)}, {part, at_2.slice(half, half + 20, 0)}}, "half"));
  }
  const Executable split = toy.compile();
  Activity of_steps;
  for (const ExchangeVolume& volume : split.traffic.volumes) of_steps += volume.activity;
  EXPECT_EQ(of_steps, broadcastTo({1, 2}).traffic.volumes[1].activity);
}

TEST(ExchangePlan, ABoundHasTheWordsOfTheSchedule) {
  for (const std::vector<std::uint32_t>& to :
       {std::vector<std::uint32_t>{1, 2}, std::vector<std::uint32_t>{2, 3}}) {
    const Executable executable = broadcastTo(to);
    const ExchangePlan scheduled = planScheduledExchange(
        executable.system.ipu, executable.lowered.steps[1], executable.lowered.blocks);
    const ExchangePlan bound = boundOf(executable);
    ASSERT_EQ(bound.words.size(), scheduled.words.size());
    for (std::size_t t = 0; t < bound.words.size(); ++t) {
      EXPECT_EQ(bound.words[t].sent, scheduled.words[t].sent);
      EXPECT_EQ(bound.words[t].received, scheduled.words[t].received);
    }
  }
}

TEST(ExchangePlan, ATwinStreamIsDoubledAndHoldsBothSendPorts) {
  const Executable executable = broadcastTo({2, 3});
  EXPECT_EQ(endsOf(executable), (std::vector<std::uint64_t>{20, 20, 20, 20}));
  const ExchangePlan plan = planScheduledExchange(
      executable.system.ipu, executable.lowered.steps[1], executable.lowered.blocks);
  ASSERT_EQ(plan.transmissions.size(), 1U);
  EXPECT_EQ(plan.transmissions.front().lenders, 1U);
  EXPECT_EQ(plan.transmission_tiles, (std::vector<TileId>{TileId(1), TileId(2), TileId(3)}));
}

TEST(ExchangePlan, TheSendersOwnBusIsNotDoubled) {
  // Tile 0 sends one plain stream and one doubled stream, for which tile 1 lends its port.
  EXPECT_EQ(endsOf(broadcastTo({1, 2, 3})), (std::vector<std::uint64_t>{60, 40, 20, 20}));
}

TEST(ExchangePlan, PiecesCostAnInstructionEach) {
  ToyGraph toy;
  const Tensor from = toy.on(0, 20).reshape({10, 2});
  toy.graph.program().add(
      toy.graph.copy(from.slice(0, 1, 1).reshape({10}), toy.on(2, 10), "column"));
  const Executable executable = toy.compile();
  const ExchangePlan plan = boundOf(executable);
  EXPECT_EQ(plan.tiles[0].send_instructions, 10U);
  EXPECT_EQ(plan.tiles[2].receive_instructions, 1U);
  EXPECT_EQ(executable.traffic.volumes[1].bytes, Bytes(40));
}

}  // namespace ipusim::compiler
