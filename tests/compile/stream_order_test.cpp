// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "sim/compile/schedule/edge_colouring.h"
#include "sim/compile/schedule/slot_packer.h"

namespace ipusim::compiler {

namespace {

std::size_t coloursOf(const std::vector<Edge>& edges) {
  const std::vector<std::uint32_t> colours = colourEdges(edges);
  std::set<std::pair<std::uint32_t, std::uint32_t>> left;
  std::set<std::pair<std::uint32_t, std::uint32_t>> right;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    EXPECT_TRUE(left.insert({edges[e].left, colours[e]}).second) << e;
    EXPECT_TRUE(right.insert({edges[e].right, colours[e]}).second) << e;
  }
  return std::set<std::uint32_t>(colours.begin(), colours.end()).size();
}

}  // namespace

TEST(ColourEdges, TakesAsManyColoursAsTheBusiestNodeHasEdges) {
  EXPECT_EQ(coloursOf({{0, 0}, {0, 1}, {0, 2}, {1, 0}, {2, 2}}), 3U);
  // The first three get colours 0, 0 and 1; the last is free of them only after an exchange.
  EXPECT_EQ(coloursOf({{0, 0}, {1, 1}, {0, 1}, {1, 0}}), 2U);
  EXPECT_EQ(coloursOf({{0, 0}, {1, 1}, {2, 1}, {2, 0}}), 2U);
}

TEST(ColourEdges, TakesMoreThanAWordOfColours) {
  constexpr std::uint32_t kNodes = 70;
  std::vector<Edge> edges;
  for (std::uint32_t left = 0; left < kNodes; ++left) {
    for (std::uint32_t right = 0; right < kNodes; ++right) edges.push_back({left, right});
  }
  EXPECT_EQ(coloursOf(edges), kNodes);
}

TEST(ColourEdges, ParallelEdgesDiffer) {
  EXPECT_EQ(coloursOf({{5, 7}, {5, 7}, {5, 7}}), 3U);
}

TEST(SlotPacker, FindsTheFirstGapThatAllPortsHave) {
  SlotPacker packer(3, 64);
  const std::vector<PortId> ports = {PortId{0}, PortId{1}, PortId{2}};
  EXPECT_EQ(packer.place(&ports[0], 1, {4, 0}), 0U);
  EXPECT_EQ(packer.place(&ports[1], 1, {2, 6}), 6U);
  EXPECT_EQ(packer.place(ports.data(), 2, {2, 0}), 4U);  // between the two
  EXPECT_EQ(packer.place(ports.data(), 3, {3, 0}), 8U);  // too long for what is left before
  EXPECT_EQ(packer.place(&ports[2], 1, {8, 0}), 0U);
  EXPECT_EQ(packer.place(&ports[2], 1, {1, 20}), 20U);
}

TEST(SlotPacker, GapsReachOverWords) {
  SlotPacker packer(1, 192);
  const PortId port{0};
  EXPECT_EQ(packer.place(&port, 1, {60, 0}), 0U);
  EXPECT_EQ(packer.place(&port, 1, {10, 0}), 60U);
  EXPECT_EQ(packer.place(&port, 1, {122, 0}), 70U);
  EXPECT_EQ(packer.place(&port, 1, {1, 0}), packer.slots());
}

}  // namespace ipusim::compiler
