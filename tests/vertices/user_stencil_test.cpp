// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/user/user_stencil.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/toy_machine.h"
#include "tests/vertices/plain_data.h"

namespace ipusim::workloads {
namespace {

constexpr Stencil kStar{StencilShape::Star, 1, 1, ElementType::Float, 8, 0};

Stencil withRate(double cycles_per_point) {
  Stencil stencil = kStar;
  stencil.cycles_per_point = cycles_per_point;
  return stencil;
}

Cycles cyclesOf(const Stencil& stencil, const StencilBlock& block) {
  return userStencilVertex(stencil, block).cycles(models::gc200());
}

TEST(StencilTerms, AreAsManyAsTheShapeHasPoints) {
  const auto count = [](StencilShape shape, std::uint64_t radius, std::size_t dims) {
    return termsOf({shape, radius, 1, ElementType::Float, 0, 0}, dims).size();
  };
  EXPECT_EQ(count(StencilShape::Star, 1, 2), 5U);
  EXPECT_EQ(count(StencilShape::Star, 1, 3), 7U);
  EXPECT_EQ(count(StencilShape::Star, 2, 3), 13U);
  EXPECT_EQ(count(StencilShape::Box, 1, 2), 9U);
  EXPECT_EQ(count(StencilShape::Box, 1, 3), 27U);
}

TEST(StencilTerms, HaveDifferentWeightsThatAddUpToOne) {
  const std::vector<StencilTerm> terms = termsOf(kStar, 2);
  const float sum =
      std::accumulate(terms.begin(), terms.end(), 0.0F,
                      [](float part, const auto& term) { return part + term.weight; });
  EXPECT_FLOAT_EQ(sum, 1);
  for (std::size_t t = 1; t < terms.size(); ++t) EXPECT_GT(terms[t].weight, terms[t - 1].weight);
}

TEST(UserStencil, WeighsThePointsAroundEachPoint) {
  // The weights of (-1,0), (0,-1), (0,0), (0,1), (1,0) are 1 to 5 fifteenths. The block has one row
  // of two points.
  const Numbers in = {0,  15,  30,  0,   //
                      45, 60,  75,  90,  //
                      0,  105, 120, 0};
  const StencilBlock block{{1, 2}, {1, 2}};
  const Numbers out = computed(userStencilVertex(kStar, block), {in, Numbers(12, 7)}, 1);
  const double left = 1 * 1 + 2 * 3 + 3 * 4 + 4 * 5 + 5 * 7;
  const double right = 1 * 2 + 2 * 4 + 3 * 5 + 4 * 6 + 5 * 8;
  EXPECT_NEAR(out[5], left, 1e-5);
  EXPECT_NEAR(out[6], right, 1e-5);
  for (const std::size_t halo : {0U, 1U, 4U, 7U, 8U, 11U}) EXPECT_EQ(out[halo], 7);
}

TEST(UserStencil, KeepsTheNumbersOfAPointApart) {
  Stencil two = kStar;
  two.values = 2;
  Numbers in(18, 0);
  for (std::size_t p = 0; p < 9; ++p) in[2 * p + 1] = 4;
  const Numbers out = computed(userStencilVertex(two, {{1, 1}, {1, 1}}), {in}, 1);
  EXPECT_EQ(out[8], 0);
  EXPECT_NEAR(out[9], 4, 1e-6);
}

TEST(UserStencil, TakesTheMeasuredRateForTheBusiestWorker) {
  // Six workers with 5 x 4 points each, at 10 cycles a point. Of 31 x 4 points one worker has 6 x
  // 4, and all six take as long.
  EXPECT_EQ(cyclesOf(withRate(10), {{30, 4}, {6, 1}}), Cycles(1200));
  EXPECT_EQ(cyclesOf(withRate(10), {{31, 4}, {6, 1}}), Cycles(1440));
}

TEST(UserStencil, CostsAsCompiledCodeWithoutARate) {
  // 20 points of 5 terms on each worker, in 5 rows of 5 terms.
  const auto& code = models::gc200().compiled;
  const std::uint64_t slots = ceilDiv(100UL * code.slots_per_1000_elements, std::uint64_t{1000}) +
                              25UL * code.slots_per_loop;
  EXPECT_EQ(cyclesOf(kStar, {{30, 4}, {6, 1}}), Cycles(6 * slots));
}

}  // namespace
}  // namespace ipusim::workloads
