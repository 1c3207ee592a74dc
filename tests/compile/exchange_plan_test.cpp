// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/exchange_plan.h"

#include <gtest/gtest.h>

#include "tests/compile/toy_graph.h"

// The toy machine: tiles 0 and 1 share a bus, and 2 and 3; 4 bytes a cycle; no delays.

namespace ipusim::compiler {

using workloads::Tensor;

namespace {

/// Tile 0 sends 40 floats to each of `receivers`, in one exchange.
std::vector<TileExchange> broadcastTo(const std::vector<std::uint32_t>& receivers) {
  ToyGraph toy;
  const Tensor data = toy.on(0, 40);
  std::vector<workloads::CopyPair> pairs;
  for (const std::uint32_t tile : receivers) pairs.push_back({data, toy.on(tile, 40)});
  toy.graph.program().add(toy.graph.copy(pairs, "broadcast"));
  const Executable executable = toy.compile();
  return planBoundExchange(executable.machine, executable.steps[1], executable.blocks);
}

std::uint64_t endOf(const std::vector<models::PortUse>& port) {
  return port.empty() ? 0 : (port.back().start + port.back().cycles).value();
}

}  // namespace

TEST(ExchangePlan, AMulticastIsSentOnce) {
  const auto plan = broadcastTo({1, 2});
  EXPECT_EQ(plan[0].sends.size(), 1U);
  EXPECT_EQ(endOf(plan[0].sends), 40U);
  EXPECT_EQ(endOf(plan[2].receives), 40U);
}

TEST(ExchangePlan, ATwinStreamIsDoubledAndHoldsBothSendPorts) {
  const auto plan = broadcastTo({2, 3});
  EXPECT_EQ(endOf(plan[2].receives), 20U);
  EXPECT_EQ(endOf(plan[3].receives), 20U);
  EXPECT_EQ(endOf(plan[0].sends), 20U);
  EXPECT_EQ(endOf(plan[1].sends), 20U);
}

TEST(ExchangePlan, TheSendersOwnBusIsNotDoubled) {
  const auto plan = broadcastTo({1, 2, 3});
  EXPECT_EQ(endOf(plan[1].receives), 40U);
  EXPECT_EQ(endOf(plan[2].receives), 20U);
  EXPECT_EQ(endOf(plan[0].sends), 60U);  // one plain stream, one doubled
}

TEST(ExchangePlan, PiecesCostAnInstructionEach) {
  ToyGraph toy;
  const Tensor from = toy.on(0, 20).reshape({10, 2});
  toy.graph.program().add(
      toy.graph.copy(from.slice(0, 1, 1).reshape({10}), toy.on(2, 10), "column"));
  const Executable executable = toy.compile();
  const auto plan = planBoundExchange(executable.machine, executable.steps[1], executable.blocks);
  EXPECT_EQ(plan[0].send_instructions, 10U);
  EXPECT_EQ(plan[2].receive_instructions, 1U);
  EXPECT_EQ(volumeOf(executable.steps[1], plan).bytes, Bytes(40));
}

}  // namespace ipusim::compiler
