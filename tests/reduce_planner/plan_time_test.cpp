// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <chrono>
#include <iostream>
#include <utility>

#include "tests/support/sanitizer.h"
#include "tests/support/toy_machine.h"
#include "workloads/ops/reduce/planner/stage_work.h"

namespace ipusim::workloads {
namespace {

using models::gc200Sdk;
using models::ReduceOp;

constexpr std::uint64_t kMany = 10'000'000;

/// The time that a plan with its estimates may take, with room for a busy machine.
constexpr double kMostSeconds = kHasAddressSanitizer ? 4 : 0.1;

/// The shortest time of several plans of a sum of halves, with the estimates of their stages.
double secondsToPlan(std::vector<HeldRows> held) {
  constexpr int kTries = 5;
  const ReduceProblem problem =
      reduceProblem(ReduceOp::Add, ElementType::Half, ElementType::Half, std::move(held));
  double shortest = kMostSeconds * 10;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    const auto begin = std::chrono::steady_clock::now();
    const ReducePlan plan = planReduce(gc200Sdk(), problem);
    const std::chrono::duration<double> planned = std::chrono::steady_clock::now() - begin;
    EXPECT_GT(reduceStageCycles(gc200Sdk(), problem, plan).size(), 0U);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    if (taken.count() >= shortest) continue;
    shortest = taken.count();
    std::cout << "planned in " << planned.count() * 1e3 << " ms, with estimates in "
              << taken.count() * 1e3 << " ms\n";
  }
  return shortest;
}

std::vector<TileInterval> linear(std::uint64_t elements) {
  return mappedLinearly(gc200Sdk(), ElementType::Half, elements);
}

TEST(PlanTime, IsShortForTenMillionColumns) {
  EXPECT_LT(secondsToPlan(heldOfRows(kMany, linear(4 * kMany))), kMostSeconds);
  EXPECT_LT(secondsToPlan(heldOfColumns(7, linear(7 * kMany))), kMostSeconds);
}

TEST(PlanTime, IsShortForTenMillionRows) {
  EXPECT_LT(secondsToPlan(heldOfRows(3, linear(3 * kMany))), kMostSeconds);
  EXPECT_LT(secondsToPlan(heldOfColumns(kMany, linear(2 * kMany))), kMostSeconds);
}

TEST(PlanTime, IsShortForColumnsThatAllBeginElsewhere) {
  // Each tile has less than a row, so that each has columns of its own on over a thousand tiles.
  EXPECT_LT(secondsToPlan(heldOfRows(2003, linear(1400 * 2003))), kMostSeconds);
}

TEST(PlanTime, GrowsWithRegionsAndNotWithColumns) {
  const PartialColumns partials(heldOfColumns(7, linear(7 * kMany)));
  EXPECT_EQ(partials.columns(), kMany);
  EXPECT_LE(partials.regions().size(), 2 * gc200Sdk().tiles);
}

}  // namespace
}  // namespace ipusim::workloads
