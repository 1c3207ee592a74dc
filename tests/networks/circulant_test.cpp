// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/circulant.h"

#include <gtest/gtest.h>

#include "tests/networks/layer_check.h"
#include "tests/support/toy_machine.h"

namespace ipusim::workloads {
namespace {

using models::gc200;
using models::toyMachine;

constexpr std::uint64_t kBatch = 50;

MakeLayer circulant(std::uint64_t features) {
  return [features](const LayerSite& site) {
    return std::make_unique<CirculantLayer>(site, CirculantShape{features});
  };
}

TEST(CirculantLayer, HasTheNumbersOfItsReference) {
  EXPECT_TRUE(checkLayer(toyMachine(), {5, 16}, circulant(16)));
  EXPECT_TRUE(checkLayer(toyMachine(), {3, 7}, circulant(7)));
  EXPECT_TRUE(checkLayer(gc200(), {50, 64}, circulant(64)));
}

TEST(CirculantLayer, ShiftsItsFirstColumnFromColumnToColumn) {
  Graph graph;
  const CirculantLayer layer({graph, toyMachine(), "layer", 1}, {3});
  // (1 3 2; 2 1 3; 3 2 1) (1, 10, 100) + (1000, 2000, 3000)
  EXPECT_EQ(layer.reference({{1, 2, 3}, {1000, 2000, 3000}}, {1, 10, 100}),
            (Values{1231, 2312, 3123}));
}

TEST(CirculantLayer, CountsItsParametersAndWork) {
  Graph graph;
  const CirculantLayer layer({graph, gc200(), "layer", kBatch}, {1024});
  EXPECT_EQ(countOf(layer), 2U * 1024);
  EXPECT_EQ(layer.denseParameters(), 1024U * 1024 + 1024);
  EXPECT_EQ(layer.forwardFlops(), Flops(kBatch * 1024 * (2 * 1024 + 1)));
  EXPECT_EQ(layer.problem().k, 1024U);
}

}  // namespace
}  // namespace ipusim::workloads
