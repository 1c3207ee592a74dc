// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <type_traits>
#include <utility>

#include "ipusim/section.h"

namespace ipusim::workloads {

namespace {

using VariableWalk = Walk<VariableElements>;
using Pair = Ends<ShareElements, PackedElements>;

VariableWalk walkOf(std::initializer_list<std::pair<std::uint64_t, std::uint64_t>> levels) {
  VariableWalk walk;
  for (const auto& [count, stride] : levels) {
    walk.levels.push_back({count, VariableElements(stride)});
  }
  return walk;
}

VariableWalk normal(VariableWalk walk) {
  walk.normalize();
  return walk;
}

/// True when a walk of one unit is accepted where another unit is wanted.
template <typename From, typename To>
constexpr bool kMixes =
    std::is_convertible_v<From, To> || std::is_convertible_v<Walk<From>, Walk<To>> ||
    std::is_assignable_v<Walk<To>&, Walk<From>>;
static_assert(kMixes<Bytes, Bytes>);
static_assert(!kMixes<VariableElements, ShareElements>);
static_assert(!kMixes<ShareElements, PackedElements>);
static_assert(!kMixes<ShareElements, Bytes>);
static_assert(!kMixes<Ends<ShareElements, PackedElements>, Ends<PackedElements, ShareElements>>);
static_assert(!std::is_convertible_v<std::uint64_t, ShareElements>);

}  // namespace

TEST(Walk, WithoutLevelsMeetsOnePlace) {
  const VariableWalk walk{VariableElements(7)};
  EXPECT_EQ(walk.elements(), 1U);
  EXPECT_EQ(walk.span(VariableElements(1)), VariableElements(1));
}

TEST(Walk, CountsAPlaceThatRepeats) {
  EXPECT_EQ(walkOf({{3, 0}, {4, 2}}).elements(), 12U);
}

TEST(Walk, SpansFromItsFirstToItsLastPlace) {
  const VariableWalk walk = walkOf({{3, 10}, {2, 1}});  // 0 1, 10 11, 20 21
  EXPECT_EQ(walk.elements(), 6U);
  EXPECT_EQ(walk.span(VariableElements(1)), VariableElements(22));
}

TEST(Walk, SpansToTheEndOfTheLastPlacesBytes) {
  const Walk<Bytes> walk{Bytes(100), {{3, Bytes(16)}}};
  EXPECT_EQ(walk.span(Bytes(4)), Bytes(36));
}

TEST(Walk, SpansNothingWhereItMeetsNothing) {
  EXPECT_EQ(walkOf({{0, 1}}).elements(), 0U);
  EXPECT_EQ(walkOf({{0, 1}}).span(VariableElements(1)), VariableElements(0));
  EXPECT_EQ(walkOf({{5, 8}, {0, 1}}).span(VariableElements(1)), VariableElements(0));
}

TEST(Walk, SpansEachEndByItself) {
  Walk<Pair> walk;
  walk.levels.push_back({3, {ShareElements(10), PackedElements(2)}});
  walk.levels.push_back({2, {ShareElements(0), PackedElements(1)}});
  EXPECT_EQ(walk.span({ShareElements(1), PackedElements(1)}),
            (Pair{ShareElements(21), PackedElements(6)}));
}

TEST(Normalize, JoinsALevelThatContinuesTheOneInside) {
  // 4 steps of 2 end where the next 8 begins.
  EXPECT_EQ(normal(walkOf({{3, 8}, {1, 99}, {4, 2}})), walkOf({{12, 2}}));
}

TEST(Normalize, KeepsLevelsApartThatLeaveAGap) {
  EXPECT_EQ(normal(walkOf({{3, 9}, {4, 2}})), walkOf({{3, 9}, {4, 2}}));
}

TEST(Normalize, KeepsARepetitionApartFromWhatItRepeats) {
  EXPECT_EQ(normal(walkOf({{3, 0}, {4, 1}})), walkOf({{3, 0}, {4, 1}}));
  EXPECT_EQ(normal(walkOf({{3, 0}, {4, 0}})), walkOf({{12, 0}}));
}

TEST(Normalize, LeavesTheBeginningAlone) {
  VariableWalk walk = walkOf({{2, 4}, {4, 1}});
  walk.begin = VariableElements(5);
  EXPECT_EQ(normal(walk).begin, VariableElements(5));
}

TEST(Normalize, JoinsTwoEndsOnlyWhereBothContinue) {
  Walk<Pair> both;
  both.addInside({3, {ShareElements(4), PackedElements(4)}});
  both.addInside({4, {ShareElements(1), PackedElements(1)}});
  EXPECT_EQ(both.levels.size(), 1U);
  Walk<Pair> one;
  one.addInside({3, {ShareElements(8), PackedElements(4)}});
  one.addInside({4, {ShareElements(1), PackedElements(1)}});
  EXPECT_EQ(one.levels.size(), 2U);
}

TEST(Ends, OfAWalkAreWalksOfTheirOwn) {
  Walk<Pair> walk{{ShareElements(5), PackedElements(7)}};
  walk.addInside({3, {ShareElements(10), PackedElements(1)}});
  EXPECT_EQ(fromEnd(walk), (Walk<ShareElements>{ShareElements(5), {{3, ShareElements(10)}}}));
  EXPECT_EQ(toEnd(walk), (Walk<PackedElements>{PackedElements(7), {{3, PackedElements(1)}}}));
  EXPECT_EQ(swapped(swapped(walk)), walk);
  EXPECT_EQ(fromEnd(swapped(walk)), toEnd(walk));
}

}  // namespace ipusim::workloads
