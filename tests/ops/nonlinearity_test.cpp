// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/elementwise/nonlinearity.h"

#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "tests/execute/toy_run.h"

namespace ipusim::workloads {
namespace {

using executor::ToyRun;
using executor::Values;

class NonlinearityTest : public testing::Test {
 protected:
  static const Machine& machine() { return models::toyMachine(); }
  ToyRun run_;
  Program& program_ = run_.graph.program();
};

TEST_F(NonlinearityTest, ReluTakesAwayWhatIsNegative) {
  const Tensor in = run_.spread({5}, 2);
  run_.give(in, {-1, 2, -3, 4, 0});
  const Tensor out = relu(run_.graph, machine(), in, {"h", Lifetime::Always}, program_);
  EXPECT_EQ(run_.result(out), (Values{0, 2, 0, 4, 0}));
  EXPECT_EQ(run_.result(in), (Values{-1, 2, -3, 4, 0}));
  EXPECT_EQ(run_.graph.computeSets()[0].name, "h/Nonlinearity");
}

TEST_F(NonlinearityTest, TheGradientLiesLikeTheOutput) {
  const Tensor output = run_.spread({6}, 1);
  const Tensor gradient = run_.on(3, {6});
  run_.give(output, {0, 1, 2, 0, 3, 0});
  run_.give(gradient, {1, 2, 3, 4, 5, 6});
  const Tensor result = nonlinearityGradient(
      run_.graph, machine(), {models::NonLinearity::Relu, gradient, output}, {"dh"}, program_);
  const Tensor kept = run_.spread({6}, 1);
  program_.add(run_.graph.copy(result, kept, "keep"));
  EXPECT_EQ(run_.result(kept), (Values{0, 2, 3, 0, 5, 0}));
  EXPECT_EQ(run_.graph.computeSets()[0].name, "dh/NonLinearityGrad");
  EXPECT_EQ(run_.graph.computeSets().size(), 1U);
  EXPECT_THROW(nonlinearityGradient(run_.graph, machine(),
                                    {models::NonLinearity::Relu, gradient.slice(0, 2, 0), output},
                                    {"dh"}, program_),
               InternalError);
}

}  // namespace
}  // namespace ipusim::workloads
