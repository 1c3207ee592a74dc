// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/softmax/softmax_loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ipusim/error.h"
#include "tests/execute/toy_run.h"

namespace ipusim::workloads {
namespace {

using executor::ToyRun;
using executor::Values;

/// The mean of the negative logarithms of the softmax at the labels.
double lossOf(const Values& logits, const Values& labels) {
  const std::size_t classes = logits.size() / labels.size();
  double sum = 0;
  for (std::size_t r = 0; r < labels.size(); ++r) {
    double powers = 0;
    for (std::size_t c = 0; c < classes; ++c) powers += std::exp(logits[r * classes + c]);
    sum += std::log(powers) - logits[r * classes + static_cast<std::size_t>(labels[r])];
  }
  return sum / static_cast<double>(labels.size());
}

/// The result of addSoftmaxLoss for (batch, classes) logits.
struct LossRun {
  LossRun(std::uint64_t batch, std::uint64_t classes, const Values& logits, const Values& labels) {
    const Tensor in = run.spread({batch, classes}, 3);
    const Tensor of =
        run.graph.addVariable(ElementType::UInt32, {batch}, "labels", Lifetime::Always);
    run.graph.setTileMapping(of, TileId(2));
    run.give(in, logits);
    run.give(of, labels);
    Program& program = run.graph.program();
    const SoftmaxLoss result =
        addSoftmaxLoss(run.graph, models::toyMachine(), {in, of}, "loss", program);
    const Tensor kept = run.on(0, {batch, classes});
    program.add(run.graph.copy(result.gradient, kept, "keep"));
    loss = run.result(result.loss).front();
    gradient = run.result(kept);
  }
  ToyRun run;
  double loss;
  Values gradient;
};

const Values kLogits{0.5, -1, 2, 0, 0, 0, 3, 1, -2, -1, 1, 1, 0.25, 0.5, 0.75};
const Values kLabels{2, 0, 1, 0, 2};

TEST(SoftmaxLoss, IsTheMeanOfTheNegativeLogLikelihoods) {
  EXPECT_NEAR(LossRun(5, 3, kLogits, kLabels).loss, lossOf(kLogits, kLabels), 1e-6);
}

TEST(SoftmaxLoss, HasTheGradientOfFiniteDifferences) {
  const LossRun run(5, 3, kLogits, kLabels);
  constexpr double kStep = 1e-5;
  for (std::size_t i = 0; i < kLogits.size(); ++i) {
    Values more = kLogits;
    Values less = kLogits;
    more[i] += kStep;
    less[i] -= kStep;
    const double slope = (lossOf(more, kLabels) - lossOf(less, kLabels)) / (2 * kStep);
    EXPECT_NEAR(run.gradient[i], slope, 1e-6) << i;
  }
}

TEST(SoftmaxLoss, StaysFiniteForLargeLogits) {
  const LossRun run(1, 2, {1000, 0}, {1});
  EXPECT_EQ(run.loss, 1000);
  EXPECT_EQ(run.gradient, (Values{1, -1}));
}

TEST(SoftmaxLoss, TakesSixteenComputeSetsAndOneForALongSum) {
  EXPECT_EQ(LossRun(4, 3, Values(12), Values(4)).run.graph.computeSets().size(), 16U);
  // Tiles have several rows: each tile sums its own rows before the last stage.
  EXPECT_EQ(LossRun(9, 3, Values(27), Values(9)).run.graph.computeSets().size(), 17U);
}

TEST(SoftmaxLoss, WantsALabelForEachRow) {
  ToyRun run;
  EXPECT_THROW(addSoftmaxLoss(run.graph, models::toyMachine(), {run.on(0, {4, 3}), run.on(0, {3})},
                              "loss", run.graph.program()),
               InternalError);
}

}  // namespace
}  // namespace ipusim::workloads
