// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "tests/reduce_planner/plan_run.h"
#include "tests/reduce_planner/planner_machines.h"

namespace ipusim::workloads {
namespace {

using models::ReduceOp;

std::uint64_t below(std::mt19937_64& random, std::uint64_t limit) {
  return random() % limit;
}

TileId anyTile(std::mt19937_64& random, const Machine& machine) {
  return TileId(static_cast<std::uint32_t>(below(random, machine.tiles)));
}

/// Elements of one dimension on random tiles, in `pieces` pieces at most.
std::vector<TileInterval> scattered(std::mt19937_64& random, const Machine& machine,
                                    std::uint64_t elements, std::uint64_t pieces) {
  std::vector<TileInterval> intervals;
  std::uint64_t begin = 0;
  while (begin < elements) {
    const std::uint64_t end =
        std::min(elements, begin + 1 + below(random, 2 * elements / pieces + 1));
    intervals.push_back({anyTile(random, machine), begin, end});
    begin = end;
  }
  return intervals;
}

/// A random matrix on random tiles, row by row or column by column.
std::vector<HeldRows> anyMatrix(std::mt19937_64& random, const Machine& machine) {
  const std::uint64_t columns = 1 + below(random, 60);
  const std::uint64_t rows = 1 + below(random, 400);
  const auto pieces = 1 + below(random, 3 * machine.tiles);
  const auto elements = scattered(random, machine, rows * columns, pieces);
  return below(random, 2) == 0 ? heldOfRows(columns, elements) : heldOfColumns(rows, elements);
}

ReduceProblem anyProblem(std::mt19937_64& random, const Machine& machine) {
  const ElementType type = below(random, 2) == 0 ? ElementType::Half : ElementType::Float;
  ReduceProblem problem =
      reduceProblem(ReduceOp::Add, type, ElementType::Float, anyMatrix(random, machine));
  problem.first_tile = static_cast<std::uint32_t>(below(random, machine.tiles));
  const std::uint64_t columns = PartialColumns(problem.held).columns();
  if (below(random, 2) == 0) {
    problem.output_given = scattered(random, machine, columns, 1 + below(random, 9));
  }
  return problem;
}

TEST(ReducePlans, ReduceEachElementOfAnyMatrixOnce) {
  constexpr std::uint64_t kMatrices = 300;
  std::uint64_t staged = 0;
  for (std::uint64_t seed = 0; seed < kMatrices; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const Machine machine = withTiles(static_cast<std::uint32_t>(4 + below(random, 200)));
    const ReduceProblem problem = anyProblem(random, machine);
    const HeldNumbers numbers = randomNumbers(problem.held, random);
    const ReducePlan plan = planReduce(machine, problem);
    staged += plan.intermediate.empty() ? 0 : 1;
    ASSERT_EQ(runPlan(machine, problem, plan, numbers), numbers.sums);
    if (HasFailure()) break;
  }
  EXPECT_GT(staged, kMatrices / 10);
}

TEST(ReducePlans, OfTheSameProblemAreTheSame) {
  std::mt19937_64 random(1);
  const Machine machine = withTiles(100);
  const ReduceProblem problem = anyProblem(random, machine);
  const auto first = finalShares(machine, problem, planReduce(machine, problem).final);
  const auto second = finalShares(machine, problem, planReduce(machine, problem).final);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t s = 0; s < first.size(); ++s) EXPECT_EQ(first[s].tile, second[s].tile);
}

/// A random pattern of a tile.
ColumnPattern anyPattern(std::mt19937_64& random) {
  const std::uint64_t columns = 1 + below(random, below(random, 2) == 0 ? 4 : 40);
  const std::uint64_t inner = below(random, 2) == 0 ? 1 : 1 + below(random, 30);
  const std::uint64_t outer = 1 + below(random, below(random, 2) == 0 ? 12 : 300);
  const std::uint64_t gap = below(random, 2) == 0 ? 0 : below(random, 9);
  return {columns, inner, outer, columns * inner + gap};
}

/// A random part of a stage, and its numbers.
struct AnyTile {
  TileReduction reduction;
  std::vector<std::vector<std::uint64_t>> elements;
  std::vector<std::vector<std::uint64_t>> sums;
};

AnyTile anyTileOf(std::mt19937_64& random) {
  constexpr ReduceStage kStage{ReduceOp::Add, ElementType::Half, ElementType::Float};
  AnyTile tile{{kStage, PartialsIn::Place, {}, below(random, 7)}, {}, {}};
  for (std::uint64_t left = 1 + below(random, 4); left > 0; --left) {
    const ColumnPattern pattern = anyPattern(random);
    const HeldNumbers numbers = randomNumbers(
        {{TileId(0), 0, pattern.columns, pattern.inner, pattern.outer, pattern.stride}}, random);
    tile.reduction.patterns.push_back(pattern);
    tile.elements.push_back(numbers.elements.front());
    tile.sums.push_back(numbers.sums);
  }
  return tile;
}

TEST(TileWorks, ReduceEachElementOfAnyPatternsOnce) {
  constexpr std::uint64_t kTiles = 2000;
  std::uint64_t two_steps = 0;
  for (std::uint64_t seed = 0; seed < kTiles; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const AnyTile tile = anyTileOf(random);
    const TileWork work = planTileWork(models::toyMachine(), tile.reduction);
    two_steps += work.second.workers.empty() ? 0 : 1;
    ASSERT_LE(work.first.workers.size(), models::toyMachine().workers_per_tile);
    ASSERT_EQ(runTileWork(work, tile.reduction, tile.elements), tile.sums);
    if (HasFailure()) break;
  }
  EXPECT_GT(two_steps, kTiles / 10);
}

}  // namespace
}  // namespace ipusim::workloads
