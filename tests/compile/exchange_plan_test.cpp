// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/exchange_plan.h"

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
  return planBoundExchange(executable.machine, executable.steps[1], executable.blocks);
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
  const ExchangePlan plan =
      planScheduledExchange(executable.machine, executable.steps[1], executable.blocks);
  ASSERT_EQ(plan.transmissions.size(), 1U);
  const Transmission& sent = plan.transmissions.front();
  EXPECT_EQ(sent.from, TileId(0));
  EXPECT_EQ(sent.lenders, 0U);
  EXPECT_EQ(sent.bytes, Bytes(160));
  EXPECT_EQ(plan.transmission_tiles, (std::vector<TileId>{TileId(1), TileId(2)}));
}

TEST(ExchangePlan, ATwinStreamIsDoubledAndHoldsBothSendPorts) {
  const Executable executable = broadcastTo({2, 3});
  EXPECT_EQ(endsOf(executable), (std::vector<std::uint64_t>{20, 20, 20, 20}));
  const ExchangePlan plan =
      planScheduledExchange(executable.machine, executable.steps[1], executable.blocks);
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
  EXPECT_EQ(executable.volumes[1].bytes, Bytes(40));
}

}  // namespace ipusim::compiler
