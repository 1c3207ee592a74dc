// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/support/toy_machine.h"
#include "workloads/ops/gather/planner/estimate.h"
#include "workloads/ops/gather/planner/search.h"

namespace ipusim::workloads {
namespace {

/// True when fewer parts would have a larger largest part.
bool isLeast(std::uint64_t size, std::uint64_t parts) {
  return parts == ceilDiv(size, ceilDiv(size, parts));
}

/// Tries all splits, one by one, by the rules alone.
class EverySplit {
 public:
  EverySplit(const PlannedTable& table, IndexOrder order, Bytes bound)
      : table_(table), order_(order), bound_(bound) {
    for (std::uint32_t groups = 1; groups <= table.problem.groups; ++groups) {
      if (isLeast(table.problem.groups, groups)) splitColumns(groups);
    }
  }
  [[nodiscard]] std::optional<Cycles> best() const { return best_; }

 private:
  void splitColumns(std::uint32_t groups) {
    EmbeddingSplits splits;
    splits.groups = groups;
    for (splits.columns = 1; splits.columns <= table_.row_grains; ++splits.columns) {
      if (isLeast(table_.row_grains, splits.columns)) splitRows(splits);
    }
  }

  void splitRows(EmbeddingSplits splits) {
    for (; splits.rows <= mostRowParts(table_.problem); ++splits.rows) {
      if (isLeast(table_.problem.rows, splits.rows)) splitIndices(splits);
    }
  }

  void splitIndices(EmbeddingSplits splits) {
    const std::uint64_t most = mostIndexParts(table_.problem);
    for (; splits.look_ups <= most && splits.tiles() <= table_.machine.tiles; ++splits.look_ups) {
      for (splits.serial = 1; splits.serial <= most; ++splits.serial) {
        if (isLeast(table_.problem.indices, splits.serial * splits.look_ups)) tryBoth(splits);
      }
    }
  }

  void tryBoth(EmbeddingSplits splits) {
    tryPoint(splits);
    splits.broadcast = TableBroadcast::BeforeSteps;
    if (isSliced(table_.problem.use)) tryPoint(splits);
  }

  void tryPoint(const EmbeddingSplits& splits) {
    const EmbeddingTerms terms = embeddingTerms({table_, splits, shareOf(table_, splits), order_});
    if (terms.temp() > bound_ || !movesResults(table_, splits, terms.slice)) return;
    const Cycles cycles = terms.total(splits.serial);
    if (!best_ || cycles < *best_) best_ = cycles;
  }

  const PlannedTable& table_;
  IndexOrder order_;
  Bytes bound_;
  std::optional<Cycles> best_;
};

std::string describedProblem(const EmbeddingProblem& problem, Bytes bound) {
  return fmt::format(
      "{} x {} x {}, {} indices, use {}, update {}, {} partials, distribution {}, order {}, {} B",
      problem.groups, problem.rows, problem.columns, problem.indices, int(problem.use),
      int(problem.update), problem.partials ? "wide" : "own", int(problem.distribution),
      int(problem.order), bound.value());
}

/// Expects the cycles of the best of all splits, with splits that cost that.
void expectLeast(const Architecture& machine, const EmbeddingProblem& problem, Bytes bound) {
  const PlannedTable table(machine, problem);
  const auto least = EverySplit(table, problem.order, bound).best();
  const auto found = searchEmbedding(table, problem.order, bound);
  ASSERT_EQ(found.has_value(), least.has_value()) << describedProblem(problem, bound);
  if (!found) return;
  EXPECT_EQ(found->cycles, *least) << describedProblem(problem, bound);
  const EmbeddingTerms terms =
      embeddingTerms({table, found->splits, shareOf(table, found->splits), problem.order});
  EXPECT_EQ(terms.total(found->splits.serial), found->cycles);
  EXPECT_LE(terms.temp(), bound);
}

/// Problems drawn at random, always the same ones.
class RandomProblems {
 public:
  EmbeddingProblem next() {
    EmbeddingProblem problem;
    problem.type = upTo(2) == 1 ? ElementType::Float : ElementType::Half;
    problem.groups = upTo(4) == 1 ? upTo(5) : 1;
    problem.rows = upTo(60);
    problem.columns = upTo(30);
    problem.indices = upTo(70);
    problem.use = static_cast<TableUse>(upTo(3) - 1);
    problem.update = upTo(2) == 1 ? RowUpdate::Add : static_cast<RowUpdate>(upTo(4) - 1);
    if (upTo(2) == 1) problem.partials = ElementType::Float;
    if (upTo(4) == 1) problem.distribution = IndexDistribution::OnePoint;
    if (upTo(4) == 1) problem.order = IndexOrder::Sorted;
    return problem;
  }
  std::uint64_t upTo(std::uint64_t most) { return 1 + engine_() % most; }

 private:
  std::mt19937_64 engine_{20230824};
};

TEST(EmbeddingSearch, FindsTheLeastOfAllSplits) {
  Architecture machine = models::gc200();
  RandomProblems problems;
  for (int i = 0; i < 150; ++i) {
    machine.tiles = static_cast<std::uint32_t>(problems.upTo(40));
    expectLeast(machine, problems.next(), kNoEmbeddingBound);
  }
}

TEST(EmbeddingSearch, FindsTheLeastWithinABound) {
  Architecture machine = models::gc200();
  RandomProblems problems;
  for (int i = 0; i < 150; ++i) {
    machine.tiles = static_cast<std::uint32_t>(problems.upTo(40));
    const EmbeddingProblem problem = problems.next();
    expectLeast(machine, problem, Bytes(problems.upTo(1500)));
  }
}

TEST(EmbeddingSearch, FindsTheLeastInStepsForManyIndices) {
  EmbeddingProblem problem;
  problem.rows = 50;
  problem.columns = 12;
  problem.indices = 1200;
  for (const TableUse use : {TableUse::Slice, TableUse::Update, TableUse::SliceAndUpdate}) {
    problem.use = use;
    for (const std::uint64_t bound : {400U, 900U, 3000U}) {
      expectLeast(models::toyMachine(), problem, Bytes(bound));
    }
  }
}

TEST(EmbeddingSearch, NothingFitsNoBytes) {
  const EmbeddingProblem problem;
  const PlannedTable table(models::toyMachine(), problem);
  EXPECT_FALSE(searchEmbedding(table, IndexOrder::Any, Bytes(0)));
}

TEST(EmbeddingSearch, PrefersFewStepsThenFewRowPartsThenManyLookUps) {
  EmbeddingSplits a;
  EmbeddingSplits b;
  EXPECT_FALSE(isPreferred(a, b));
  b.serial = 2;
  EXPECT_TRUE(isPreferred(a, b));
  b.serial = 1;
  b.look_ups = 4;
  EXPECT_TRUE(isPreferred(b, a));
  b.rows = 2;
  EXPECT_TRUE(isPreferred(a, b));
}

}  // namespace
}  // namespace ipusim::workloads
