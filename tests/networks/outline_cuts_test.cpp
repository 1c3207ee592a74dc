// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/networks/outline_schedule.h"
#include "workloads/networks/outline/copy_cost.h"

// What the tests of graphcore/popart (MIT) expect of its cuts of matches, in
// tests/integration/subgraph_tests/prune_matches_0_subgraph_test.cpp, and of its cost of copies, in
// tests/integration/iosubgraphcostmodel_test.cpp.

namespace ipusim::workloads {
namespace {

using Matches = std::vector<OutlineMatch>;

bool haveEqualMatches(Matches a, Matches b) {
  const auto before = [](const OutlineMatch& x, const OutlineMatch& y) {
    return std::make_pair(x.length, x.starts) < std::make_pair(y.length, y.starts);
  };
  std::sort(a.begin(), a.end(), before);
  std::sort(b.begin(), b.end(), before);
  return a == b;
}

/// Prefers lengths of 2 more than a multiple of 3; then long parts; then late ones.
double preferTwo(std::size_t begin, std::size_t end) {
  const auto length = static_cast<double>(end - begin);
  return static_cast<double>((end - begin) % 3) + length * 1e-3 + 1e-6 * static_cast<double>(begin);
}

TEST(OutlineCuts, TakeThePartThatIsWorthMost) {
  const Matches matches{{{0, 1, 2}, 1}, {{3, 6}, 3}};
  EXPECT_TRUE(haveEqualMatches(
      pruneMatches(matches, scheduleOf({0, 0, 0, 1, 2, 3, 1, 2, 3}), preferTwo, -1),
      {{{0, 1, 2}, 1}, {{4, 7}, 2}}));
}

TEST(OutlineCuts, DropPartsUpToTheThreshold) {
  const Matches matches{{{6, 7, 8, 9, 10, 11}, 1}, {{0, 3}, 3}, {{6, 9}, 3}};
  EXPECT_TRUE(haveEqualMatches(
      pruneMatches(matches, scheduleOf({0, 1, 2, 0, 1, 2, 5, 5, 5, 5, 5, 5}), preferTwo, 15),
      {{{1, 4}, 2}, {{7, 10}, 2}}));
}

TEST(OutlineCuts, DoNotCutANestedMatch) {
  const Matches matches{{{1, 7, 11, 15}, 2}, {{1, 7, 11}, 3}, {{0, 6}, 4}};
  // Parts from the first node on are worth more the shorter they are, from two nodes on.
  const auto worth = [](std::size_t begin, std::size_t end) -> double {
    const auto length = static_cast<double>(end - begin);
    if (begin > 0) return length * 1e-3;
    return length >= 2 ? 1 - length * 1e-3 : 0;
  };
  const OutlineSchedule schedule = scheduleOf({0, 1, 2, 3, 5, 6, 0, 1, 2, 3, 7, 1, 2, 3, 8, 1, 2});
  EXPECT_TRUE(haveEqualMatches(pruneMatches(matches, schedule, worth, -1), matches));
}

/// Eight products of (8, 1, 100) and (1, 100, 100) floats with relus, and a copy to another IPU
/// before each other one.
class CopyCostOfAChain : public ::testing::Test {
 protected:
  CopyCostOfAChain() {
    constexpr std::uint64_t kActivation = 3'200;
    constexpr std::uint64_t kWeights = 40'000;
    std::vector<TensorNode> nodes;
    std::size_t activation = 0;
    bytes_ = {kActivation};
    const auto add = [&](std::uint32_t kind, double value, std::vector<std::size_t> reads) {
      bytes_.push_back(kActivation);
      nodes.push_back({kind, value, std::move(reads), bytes_.size() - 1});
      activation = bytes_.size() - 1;
    };
    for (int layer = 0; layer < 8; ++layer) {
      if (layer > 0) add(2, 0.1, {activation});
      bytes_.push_back(kWeights);
      const std::size_t weights = bytes_.size() - 1;
      add(0, 1000, {activation, weights});
      add(1, 0.1, {activation});
    }
    schedule_ = scheduleOf(nodes);
  }

  void expectWorth(std::size_t begin, std::size_t end, double worth) const {
    // The published numbers have six digits, and are sums of floats.
    EXPECT_NEAR(CopyCost(schedule_, bytes_).worth(begin, end) / worth, 1, 1e-5);
  }

  OutlineSchedule schedule_;
  std::vector<std::uint64_t> bytes_;
};

TEST_F(CopyCostOfAChain, HasThePublishedNumbers) {
  ASSERT_EQ(schedule_.size(), 23U);
  expectWorth(0, 1, 207'533);
  expectWorth(0, 2, 207'539);
  expectWorth(0, 3, 207'544);
  expectWorth(1, 2, -107.48);
  expectWorth(1, 3, -101.823);
  expectWorth(0, 4, 415'190);
  expectWorth(0, 22, 1.66114e6);
}

}  // namespace
}  // namespace ipusim::workloads
