// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dense.h"

#include <gtest/gtest.h>

#include "tests/networks/layer_check.h"
#include "tests/support/toy_machine.h"

namespace ipusim::workloads {
namespace {

using models::gc200;
using models::toyMachine;

MakeLayer dense(const DenseShape& shape) {
  return [shape](const LayerSite& site) { return std::make_unique<DenseLayer>(site, shape); };
}

TEST(DenseLayer, HasTheNumbersOfItsReference) {
  EXPECT_TRUE(checkLayer(toyMachine(), {5, 12}, dense({12, 7})));
  EXPECT_TRUE(checkLayer(toyMachine(), {8, 16}, dense({16, 16, false})));
  EXPECT_TRUE(checkLayer(toyMachine(), {1, 3}, dense({3, 1})));
  EXPECT_TRUE(checkLayer(gc200(), {10, 64}, dense({64, 48})));
}

TEST(DenseLayer, HasTheGradientOfItsInput) {
  for (const Machine* machine : {&toyMachine(), &gc200()}) {
    LayerRun run(*machine, {6, 20}, dense({20, 10}));
    auto& layer = dynamic_cast<DenseLayer&>(run.layer());
    run.expectInputGradient(layer.inputGradient(run.gradient(), run.graph().program()));
    EXPECT_TRUE(run.check().ok);
  }
}

TEST(DenseLayer, CountsItsParametersAndWork) {
  Graph graph;
  const DenseLayer layer({graph, toyMachine(), "layer", 3}, {6, 4});
  EXPECT_EQ(countOf(layer), 6U * 4 + 4);
  EXPECT_EQ(layer.denseParameters(), 6U * 4 + 4);
  // 3 x 4 results: 2 x 6 for the product and 1 for the bias.
  EXPECT_EQ(layer.forwardFlops(), Flops(156));
}

}  // namespace
}  // namespace ipusim::workloads
