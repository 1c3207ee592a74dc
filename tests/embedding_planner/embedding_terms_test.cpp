// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"
#include "workloads/ops/gather/planner/estimate.h"

// Counted by hand on the toy machine: 4 tiles of 6 workers, 4 bytes a cycle. The table has 8 rows
// of 2 floats, and 24 indices.

namespace ipusim::workloads {
namespace {

using namespace ipusim::literals;

EmbeddingProblem smallTable(TableUse use) {
  EmbeddingProblem problem;
  problem.rows = 8;
  problem.columns = 2;
  problem.indices = 24;
  problem.use = use;
  return problem;
}

EmbeddingTerms termsWith(const EmbeddingProblem& problem, const EmbeddingSplits& splits) {
  const PlannedTable table(models::toyMachine(), problem);
  return embeddingTerms({table, splits, shareOf(table, splits), IndexOrder::Any});
}

EmbeddingSplits fourLookUpParts() {
  EmbeddingSplits splits;
  splits.look_ups = 4;
  return splits;
}

EmbeddingSplits fourRowParts() {
  EmbeddingSplits splits;
  splits.rows = 4;
  return splits;
}

TEST(EmbeddingTerms, LookUpPartsReceiveTheWholeTable) {
  const EmbeddingTerms terms = termsWith(smallTable(TableUse::Slice), fourLookUpParts());
  EXPECT_EQ(terms.slice.table_exchange, 16_cycles);             // 64 bytes
  EXPECT_EQ(terms.slice.look_up, 6 * Cycles(30 + 19 + 2 * 1));  // one index a worker
  EXPECT_EQ(terms.slice.candidate_exchange, 0_cycles);
  EXPECT_EQ(terms.total(1), 322_cycles);
  EXPECT_EQ(terms.temp(), 64_B + 24_B);  // the table and 6 indices
  EXPECT_EQ(terms.table_storage, 16_B);
}

TEST(EmbeddingTerms, RowPartsChooseAmongCandidates) {
  const EmbeddingTerms terms = termsWith(smallTable(TableUse::Slice), fourRowParts());
  EXPECT_EQ(terms.slice.table_exchange, 0_cycles);
  EXPECT_EQ(terms.slice.look_up, 6 * Cycles(30 + 21 + 3 * 8));  // one hit and three misses
  EXPECT_EQ(terms.slice.candidate_exchange, 48_cycles);         // 4 candidates of 6 results
  EXPECT_EQ(terms.slice.candidate_look_up, 306_cycles);
  EXPECT_EQ(terms.temp(), 192_B + 192_B + 24_B);  // candidates made and received, 6 indices
}

TEST(EmbeddingTerms, ATableSentBeforeTheStepsIsChargedOnce) {
  EmbeddingSplits splits = fourLookUpParts();
  splits.serial = 3;
  const EmbeddingTerms each = termsWith(smallTable(TableUse::Slice), splits);
  splits.broadcast = TableBroadcast::BeforeSteps;
  const EmbeddingTerms once = termsWith(smallTable(TableUse::Slice), splits);
  EXPECT_EQ(each.total(3), 3 * (16_cycles + 306_cycles));
  EXPECT_EQ(once.total(3), 16_cycles + 3 * 306_cycles);
}

TEST(EmbeddingTerms, LookUpPartsUpdateTablesThatAreReduced) {
  const EmbeddingTerms terms = termsWith(smallTable(TableUse::Update), fourLookUpParts());
  const UpdateTerms& update = terms.update;
  EXPECT_EQ(update.table_rearrange, 2 * 12_cycles);  // 48 bytes above an even share
  EXPECT_EQ(update.zero_partials, 6 * Cycles(23 + 2));
  EXPECT_EQ(update.slice_exchange, 0_cycles);
  EXPECT_EQ(update.update, 6 * Cycles(37 + 2 * 8 + 4 * 5));  // two hits among six indices
  EXPECT_EQ(update.reduce_exchange, 16_cycles);              // 4 floats from each of 4 tiles
  EXPECT_EQ(update.reduce, 6 * Cycles(16 + 3 + 5 + 3 + 3));
  EXPECT_EQ(update.combine, Cycles(63 + 6 * 19));
  EXPECT_EQ(terms.total(1), 985_cycles);
  EXPECT_EQ(terms.temp(), 48_B + 2 * 64_B);
}

TEST(EmbeddingTerms, RowPartsUpdateTheTableItself) {
  const EmbeddingTerms terms = termsWith(smallTable(TableUse::Update), fourRowParts());
  EXPECT_EQ(terms.update.slice_exchange, 48_cycles);                // 24 rows to all parts
  EXPECT_EQ(terms.update.update, 6 * Cycles(37 + 3 * 8 + 21 * 5));  // one row of 8 a worker
  EXPECT_EQ(terms.total(1), terms.update.slice_exchange + terms.update.update);
}

TEST(EmbeddingTerms, FloatPartialsOfHalfsAreCast) {
  EmbeddingProblem problem = smallTable(TableUse::Update);
  problem.type = ElementType::Half;
  problem.columns = 4;
  problem.partials = ElementType::Float;
  const EmbeddingTerms terms = termsWith(problem, fourRowParts());
  EXPECT_EQ(terms.update.cast_slices, Cycles(12 + 6 * (18 + 19 + 1 + 2)));  // 24 halfs
  EXPECT_EQ(terms.update.cast_table, Cycles(12 + 6 * (18 + 19 + 1 + 1)));   // 8 halfs
  EXPECT_GT(terms.update.cast_table_back, 0_cycles);
  problem.partials = std::nullopt;
  EXPECT_EQ(termsWith(problem, fourRowParts()).update.cast_slices, 0_cycles);
}

TEST(EmbeddingTerms, PublishedHitsAreRoundedTwice) {
  // 7 rows of 25 are 0.28 of them, and 25 * 0.28 is above 7 in doubles.
  EmbeddingProblem problem = smallTable(TableUse::Slice);
  problem.rows = 25;
  problem.indices = 150;  // 25 for each worker
  const PlannedTable table(models::toyMachine(), problem);
  const EmbeddingSplits splits = fourRowParts();
  const EmbeddingShare share = shareOf(table, splits);
  EmbeddingEvaluation evaluation{table, splits, share, IndexOrder::Any};
  EXPECT_EQ(sliceTerms(evaluation).look_up, 6 * Cycles(30 + 8 * 21 + 17 * 8));
  evaluation.hits = HitRounding::Once;
  EXPECT_EQ(sliceTerms(evaluation).look_up, 6 * Cycles(30 + 7 * 21 + 18 * 8));
}

TEST(EmbeddingTerms, AllHitOnePoint) {
  EmbeddingProblem problem = smallTable(TableUse::Update);
  problem.distribution = IndexDistribution::OnePoint;
  const EmbeddingTerms terms = termsWith(problem, fourRowParts());
  EXPECT_EQ(terms.update.update, 6 * Cycles(37 + 24 * 8));
}

}  // namespace
}  // namespace ipusim::workloads
