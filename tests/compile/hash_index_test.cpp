// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/lower/hash_index.h"

#include <gtest/gtest.h>

namespace ipusim::compiler {
namespace {

TEST(HashIndex, FindsEachOfManyThings) {
  HashIndex index;
  const auto find = [&index](std::uint32_t thing, std::uint32_t next) {
    // There are few hashes: most things share one.
    return index.findOrAdd(thing % 50, next,
                           [thing](std::uint32_t number) { return number == thing; });
  };
  for (std::uint32_t thing = 0; thing < 1000; ++thing) EXPECT_EQ(find(thing, thing), thing);
  for (std::uint32_t thing = 0; thing < 1000; ++thing) EXPECT_EQ(find(thing, 1000), thing);
  EXPECT_EQ(find(2000, 2000), 2000U);
}

TEST(HashIndex, AsksOnlyOfTheSameHash) {
  HashIndex index;
  const auto none = [](std::uint32_t /*number*/) {
    ADD_FAILURE();
    return true;
  };
  EXPECT_EQ(index.findOrAdd(1, 0, none), 0U);
  EXPECT_EQ(index.findOrAdd(2, 1, none), 1U);
}

}  // namespace
}  // namespace ipusim::compiler
