// SPDX-License-Identifier: Apache-2.0
#include "ipusim/activity.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ipusim/predict.h"
#include "models/ipu/cost/products/amp.h"
#include "sim/run/simulate.h"
#include "tests/support/toy_machine.h"
#include "tests/support/toy_pod.h"
#include "workloads/vertices/products/products.h"
#include "workloads/vertices/user/custom.h"

// Activity, counted by hand. On the toy machine starting a vertex costs nothing: the tiles are then
// busy for as many cycles as the vertices take. Its columns have two rows: tiles 0 and 2 are beside
// the spine.

namespace ipusim::run {
namespace {

RunResult runOf(const std::string& machine, const std::string& workload) {
  const std::string text = "machine = " + machine + "\n[workload]\n" + workload;
  return simulate(ConfigReader::fromText(text, "test.toml"), Engine::ClosedForm);
}

RunResult onToy(const std::string& workload) {
  return runOf("\"toy\"", workload);
}

RunResult matmul(std::uint64_t m, std::uint64_t k, std::uint64_t n, const char* type = "half") {
  return onToy(
      fmt::format("kind = \"matmul\"\nm = {}\nk = {}\nn = {}\ntype = \"{}\"\n", m, k, n, type));
}

const StepResult& stepOf(const Result& result, StepKind kind) {
  for (const StepResult& step : result.steps) {
    if (step.kind == kind) return step;
  }
  throw std::out_of_range("no such step");
}

Activity sumOfSteps(const Result& result) {
  Activity sum;
  for (const StepResult& step : result.steps) sum += step.activity;
  return sum;
}

Activity sumOfTiles(const Result& result) {
  Activity sum;
  for (const TileResult& tile : result.tiles) sum += tile.activity;
  return sum;
}

/// Tile 0 adds `elements` floats `times` times, and receives them from tile 1 before.
Result repeatedAdd(std::uint64_t elements, std::uint64_t times) {
  Graph graph;
  const Tensor sum = graph.addVariable(ElementType::Float, {elements}, "sum", Lifetime::Always);
  const Tensor more = graph.addVariable(ElementType::Float, {elements}, "more", Lifetime::Always);
  graph.setTileMapping(sum, TileId(0));
  graph.setTileMapping(more, TileId(1));
  const ComputeSetId add = graph.addComputeSet("add");
  graph.addVertices(
      add,
      {shared(workloads::userAddVertex({elements})), TileId(0), 1, {{sum.view()}, {more.view()}}});
  graph.program().add(repeat(times, {execute(add)}));
  return predict(graph, models::toyMachine());
}

}  // namespace

TEST(Activity, OfOneProductIsThatOfItsVertexTermByTerm) {
  const RunResult result = onToy(
      "kind = \"codelet\"\ncodelet = \"amp\"\ntype = \"half\"\npartials_type = \"float\"\n"
      "field = 5\nin_groups = 2\nout_groups = 3\ntiles = [0, 2]\n");
  const Activity& activity = result.activity;
  // Two groups of 16 in channels, three groups of 8 out channels, five positions, on two tiles.
  EXPECT_EQ(activity.half_macs, 2 * 5 * 32 * 24);
  EXPECT_EQ(activity.float_macs, 0);
  EXPECT_EQ(activity.other_flops, Flops(0));
  EXPECT_EQ(activity.flops(), Flops(2 * 2 * 5 * 32 * 24));
  // Six passes load 16 channels of 5 rows and 8 weights, in half; three of them the partials.
  EXPECT_EQ(activity.loaded_bytes, Bytes(2 * (6 * 16 * (5 + 8) * 2 + 3 * 40 * 4)));
  EXPECT_EQ(activity.stored_bytes, Bytes(2 * 6 * 40 * 4));
  const models::Amp1x1Shape product{{ElementType::Half, ElementType::Float, 8}, 5, 1, 2, 3, 8};
  const Cycles cycles = models::amp1x1Cycles(models::toyMachine(), product);
  EXPECT_EQ(activity.bundles, 2 * cycles.value());
  EXPECT_EQ(activity.busy_tile_cycles, 2 * cycles);
  EXPECT_EQ(activity.tile_cycles, 4 * result.time.cycles);
  EXPECT_EQ(activity.sent_words + activity.received_words + activity.spine_words, 0);
  EXPECT_EQ(activity.column_word_rows, 0);
}

TEST(Activity, OfOneExchangeIsThatOfItsWordsTermByTerm) {
  const RunResult result = onToy("kind = \"exchange_latency\"\nfrom = 0\nto = 3\nbytes = 400\n");
  const Activity& activity = stepOf(result, StepKind::Exchange).activity;
  EXPECT_EQ(activity.sent_words, 100);
  EXPECT_EQ(activity.received_words, 100);
  EXPECT_EQ(activity.column_word_rows, 100 * 1 + 100 * 2);
  EXPECT_EQ(activity.spine_words, 100);
  EXPECT_EQ(activity.loaded_bytes + activity.stored_bytes, Bytes(0));
  EXPECT_EQ(activity.link_bytes + activity.host_bytes + activity.streaming_bytes, Bytes(0));
  EXPECT_EQ(result.tiles[0].activity.sent_words, 100);
  EXPECT_EQ(result.tiles[0].activity.column_word_rows, 100);
  EXPECT_EQ(result.tiles[3].activity.received_words, 100);
  EXPECT_EQ(result.tiles[3].activity.column_word_rows, 200);
  EXPECT_EQ(stepOf(result, StepKind::Sync).activity.tile_syncs, 4);
}

TEST(Activity, FillsTheLastWordOfAPiece) {
  Graph graph;
  const Tensor here = graph.addVariable(ElementType::Half, {3}, "here");
  const Tensor there = graph.addVariable(ElementType::Half, {3}, "there");
  graph.setTileMapping(here, TileId(0));
  graph.setTileMapping(there, TileId(3));
  graph.program().add(graph.copy({{here, there}}, "move"));
  EXPECT_EQ(predict(graph, models::toyMachine()).activity.sent_words, 2);
}

TEST(Activity, OfAHalfProductHasEveryMultiplyAddOnce) {
  for (const std::uint64_t m : {32U, 64U, 128U}) {
    const RunResult result = matmul(m, 64, 32);
    EXPECT_EQ(result.activity.half_macs, m * 64 * 32);
    EXPECT_EQ(result.activity.float_macs, 0);
  }
  const RunResult in_float = matmul(64, 64, 32, "float");
  EXPECT_EQ(in_float.activity.float_macs, 64 * 64 * 32);
  EXPECT_EQ(in_float.activity.half_macs, 0);
}

TEST(Activity, IsTheSumOverStepsAndTheSumOverTiles) {
  for (const RunResult& result : {matmul(64, 96, 48), matmul(30, 20, 10, "float")}) {
    EXPECT_EQ(sumOfSteps(result), result.activity);
    EXPECT_EQ(sumOfTiles(result), result.activity);
    EXPECT_GT(result.activity.received_words, 0);
  }
}

TEST(Activity, OfARepeatIsThatOfItsBodySoManyTimes) {
  const Result one = repeatedAdd(50, 1);
  const Result seven = repeatedAdd(50, 7);
  const StepResult& add = stepOf(seven, StepKind::Compute);
  Activity expected = stepOf(one, StepKind::Compute).activity * 7;
  // The last step has the wait of the other tiles once.
  expected.tile_cycles = add.activity.tile_cycles;
  EXPECT_EQ(add.activity, expected);
  EXPECT_EQ(add.activity.other_flops, Flops(7 * 50));
  EXPECT_EQ(add.activity.loaded_bytes, Bytes(7 * 2 * 50 * 4));
  // A worker holds its context for six cycles an issue slot.
  EXPECT_EQ(6 * add.activity.bundles, add.cycles.value());
  EXPECT_EQ(seven.activity.sent_words, 7 * one.activity.sent_words);
  EXPECT_EQ(sumOfTiles(seven), seven.activity);
}

TEST(Activity, IsNeverLessWithTwiceTheWork) {
  const auto leastGrowth = [](const Activity& once, const Activity& twice) {
    EXPECT_GE(twice.half_macs, once.half_macs);
    EXPECT_GE(twice.loaded_bytes, once.loaded_bytes);
    EXPECT_GE(twice.stored_bytes, once.stored_bytes);
    EXPECT_GE(twice.bundles, once.bundles);
    EXPECT_GE(twice.received_words, once.received_words);
    EXPECT_GE(twice.tile_cycles, once.tile_cycles);
  };
  for (std::uint64_t m = 16; m <= 128; m *= 2) {
    leastGrowth(matmul(m, 64, 32).activity, matmul(2 * m, 64, 32).activity);
  }
}

TEST(Activity, GivesEachTileItsPartOfAHostCopy) {
  const RunResult result = onToy(
      "kind = \"exchange_latency\"\nfrom = 0\nto = 3\nbytes = 400\n"
      "[host]\ncopy_in = true\ncopy_out = true\n");
  EXPECT_EQ(result.activity.host_bytes, Bytes(800));
  EXPECT_EQ(result.tiles[0].activity.host_bytes, Bytes(400));
  EXPECT_EQ(result.tiles[3].activity.host_bytes, Bytes(400));
  EXPECT_EQ(sumOfSteps(result), result.activity);
}

TEST(Activity, CountsEachLinkOnTheWayBetweenIpus) {
  const std::string machine = models::toyPodTable(4);
  const auto pod = runOf(machine, "kind = \"exchange_latency\"\nfrom = 0\nto = 13\nbytes = 400\n");
  Bytes on_links;
  for (const LinkResult& link : pod.system->links) on_links += link.bytes;
  EXPECT_EQ(pod.activity.link_bytes, on_links);
  EXPECT_GE(pod.activity.link_bytes, Bytes(2 * 400));  // IPU 3 is two links from IPU 0
  EXPECT_EQ(pod.activity.sent_words, 100);
  EXPECT_EQ(pod.activity.spine_words, 200);  // on the way out, and on the way in
  EXPECT_EQ(pod.activity.column_word_rows, 100 * 1 + 100 * 2);
  EXPECT_EQ(pod.tiles[13].activity.received_words, 100);
  EXPECT_EQ(sumOfTiles(pod), pod.activity);
}

}  // namespace ipusim::run
