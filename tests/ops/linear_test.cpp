// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/run/check/check_experiment.h"
#include "sim/run/simulate.h"
#include "tests/execute/toy_run.h"
#include "workloads/ops/elementwise/bias.h"

namespace ipusim::workloads {
namespace {

using executor::ToyRun;
using executor::Values;

TEST(AddBias, AddsToRowsThatTilesCut) {
  // Three rows of four; a tile has five elements, two parts of rows.
  ToyRun run;
  const Tensor rows = run.spread({12}, 5).reshape({3, 4});
  const Tensor bias = run.on(3, {4});
  run.give(rows, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  run.give(bias, {10, 20, 30, 40});
  addBias(run.graph, rows, bias, "bias", run.graph.program());
  EXPECT_EQ(run.result(rows), (Values{11, 22, 33, 44, 15, 26, 37, 48, 19, 30, 41, 52}));
}

TEST(AddBias, AddsAlongColumnsWhereThoseAreConsecutive) {
  ToyRun run;
  const Tensor rows = run.spread({12}, 6).reshape({4, 3}).dimShuffle({1, 0});
  const Tensor bias = run.on(3, {4});
  run.give(rows, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  run.give(bias, {10, 20, 30, 40});
  addBias(run.graph, rows, bias, "bias", run.graph.program());
  EXPECT_EQ(run.result(rows), (Values{11, 22, 33, 44, 15, 26, 37, 48, 19, 30, 41, 52}));
  const VertexFamily& first = run.graph.computeSets().at(0).families.at(0);
  EXPECT_EQ(first.type->name, "popops::BroadcastVectorOuter1DInPlace<ADD,float>");
}

run::Experiment linear(const std::string& machine, const std::string& keys) {
  return run::prepare(ConfigReader::fromText(
      fmt::format("machine = \"{}\"\n[workload]\nkind = \"linear\"\n{}", machine, keys), "test"));
}

// With 9 outputs, the last column of the result is alone on one tile, and its rows are apart.
TEST(Linear, HasTheNumbersOfADenseProduct) {
  for (const char* keys :
       {"in = 17\nout = 23\nbatch = 5", "in = 64\nout = 40\nbatch = 33\ntype = \"half\"",
        "in = 1\nout = 1\nbatch = 1", "in = 9\nout = 7\nbatch = 5\noutput_type = \"half\"",
        "in = 10\nout = 7\nbatch = 5\ntype = \"half\"\noutput_type = \"float\"",
        "in = 40\nout = 24\nbatch = 16\nbias = \"no\"", "in = 6\nout = 9\nbatch = 4"}) {
    EXPECT_TRUE(run::checkNumbers(linear("toy", keys)).found.ok) << keys;
  }
  EXPECT_TRUE(run::checkNumbers(linear("gc200", "in = 300\nout = 100\nbatch = 7")).found.ok);
}

TEST(Linear, HasThemInStepsThatDoNotDivide) {
  for (const char* keys : {"batch = 51", "batch = 33", "batch = 5\ntype = \"half\""}) {
    const run::Experiment uneven = linear(
        "toy", fmt::format("in = 97\nout = 97\navailable_memory_proportion = 0.1\n{}", keys));
    EXPECT_TRUE(run::checkNumbers(uneven).found.ok) << keys;
  }
}

TEST(Linear, CountsWeightsAndBiasWithoutPadding) {
  const run::Experiment with = linear("toy", "in = 17\nout = 23\nbatch = 5");
  EXPECT_EQ(with.workload.model->count(), 17U * 23 + 23);
  const run::Experiment without = linear("toy", "in = 17\nout = 23\nbatch = 5\nbias = \"no\"");
  EXPECT_EQ(without.workload.model->count(), 17U * 23);
  EXPECT_EQ(without.workload.model->dense_parameters, 17U * 23);
}

TEST(Linear, AddsTheBiasInOneMoreComputeSet) {
  const std::string keys = "in = 64\nout = 64\nbatch = 64\n";
  const auto sets = [](const run::Experiment& experiment) {
    return experiment.workload.graph.computeSets().size();
  };
  EXPECT_EQ(sets(linear("gc200", keys)), sets(linear("gc200", keys + "bias = \"no\"")) + 1);
}

}  // namespace
}  // namespace ipusim::workloads
