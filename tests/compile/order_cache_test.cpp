// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/schedule/order_cache.h"

#include <gtest/gtest.h>

#include "tests/support/exchange_patterns.h"
#include "tests/support/toy_machine.h"

namespace ipusim::compiler {

using namespace ipusim::literals;

namespace {

StreamSet streamsTo(std::uint32_t receiver, std::uint64_t words) {
  ExchangePattern pattern(4);
  pattern.send(0, {receiver}, words);
  return streamsOf(models::toyMachine(), pattern.step(), pattern.blocks());
}

}  // namespace

TEST(CachedOrder, IsFoundByAllThatTheSearchTakes) {
  const Machine& machine = models::toyMachine();
  const std::string key = keyOf(machine, streamsTo(2, 40));
  EXPECT_EQ(keyOf(machine, streamsTo(2, 40)), key);
  EXPECT_NE(keyOf(machine, streamsTo(3, 40)), key);
  EXPECT_NE(keyOf(machine, streamsTo(2, 41)), key);
  EXPECT_NE(keyOf(machine, streamsTo(2, 5120)), key);  // a length of two bytes in the key
  Machine farther = machine;
  farther.fabric.start_delay_longest += 1_cycles;
  EXPECT_NE(keyOf(farther, streamsTo(2, 40)), key);
}

TEST(CachedOrder, OfTheProcessIsTheOneThatWasKept) {
  EXPECT_FALSE(findOrder("an order that nobody kept").has_value());
  cacheOrder("an order", {70, {2, 0, 1}});
  const std::optional<CachedOrder> found = findOrder("an order");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->split_load, 70U);
  EXPECT_EQ(found->order, (StreamOrder{2, 0, 1}));
}

TEST(CachedOrder, TheOldestGoWhereAllWouldTakeTooMuch) {
  constexpr std::size_t kMegabyte = 1'000'000;
  const auto key = [](int number) { return std::to_string(number) + std::string(kMegabyte, 'k'); };
  for (int number = 0; number < 100; ++number) cacheOrder(key(number), {0, {0}});
  EXPECT_FALSE(findOrder(key(0)).has_value());
  EXPECT_FALSE(findOrder(key(60)).has_value());
  EXPECT_TRUE(findOrder(key(75)).has_value());
  EXPECT_TRUE(findOrder(key(99)).has_value());
}

TEST(CachedOrder, HasEachStreamOnce) {
  EXPECT_TRUE(isOrderOf({2, 0, 1}, 3));
  EXPECT_FALSE(isOrderOf({2, 0, 2}, 3));
  EXPECT_FALSE(isOrderOf({0, 1, 3}, 3));
  EXPECT_FALSE(isOrderOf({0, 1}, 3));
}

}  // namespace ipusim::compiler
