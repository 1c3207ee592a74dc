// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/schedule/exchange_numbers.h"

#include <gtest/gtest.h>

#include "tests/compile/toy_graph.h"

namespace ipusim::compiler {

namespace {

/// Two copies one after the other: `elements` from tile 0 to tile 1, and others between two tiles.
struct TwoCopies {
  std::uint64_t elements;
  std::uint32_t from;
  std::uint32_t to;

  [[nodiscard]] Executable compile() const {
    ToyGraph toy;
    toy.graph.program().add(toy.graph.copy(toy.on(0, 40), toy.on(1, 40), "first"));
    toy.graph.program().add(toy.graph.copy(toy.on(from, elements), toy.on(to, elements), "second"));
    return toy.compile();
  }
};

/// The numbers of the two exchanges.
std::pair<std::uint32_t, std::uint32_t> numbersOf(const Executable& executable) {
  ExchangeNumbers numbers(executable.lowered);
  const std::uint32_t first = numbers.of(StepId{1});
  return {first, numbers.of(StepId{3})};
}

}  // namespace

TEST(ExchangeNumbers, ExchangesBetweenTheSameTilesAreAlikeWhereverTheDataLies) {
  const Executable executable = TwoCopies{40, 0, 1}.compile();
  EXPECT_EQ(numbersOf(executable), std::make_pair(0U, 0U));
  EXPECT_EQ(executable.programs.only().exchanges.size(), 1U);
  EXPECT_EQ(executable.traffic.volumes[3].bytes, Bytes(160));
  EXPECT_EQ(executable.traffic.exchange_code[0].exchanges, 2U);
}

TEST(ExchangeNumbers, ExchangesOfOtherSizesOrOtherTilesAreNot) {
  EXPECT_EQ(numbersOf(TwoCopies{41, 0, 1}.compile()), std::make_pair(0U, 1U));
  EXPECT_EQ(numbersOf(TwoCopies{40, 0, 2}.compile()), std::make_pair(0U, 1U));
  EXPECT_EQ(numbersOf(TwoCopies{40, 2, 1}.compile()), std::make_pair(0U, 1U));
}

}  // namespace ipusim::compiler
