// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"
#include "tests/vertices/plain_data.h"
#include "workloads/vertices/user/custom.h"

namespace ipusim::workloads {
namespace {

using models::toyMachine;

TEST(UserProduct, MultipliesRowsByColumns) {
  const VertexType product = userProductVertex({2, 2, 3});
  EXPECT_EQ(computed(product, {{1, 2, 3, 4}, {1, 10, 100, 2, 20, 200}}, 2),
            (Numbers{5, 50, 500, 11, 110, 1100}));
}

TEST(UserProduct, CostsItsElementsAndItsLoops) {
  // The toy machine: 5 slots per element, 10 per loop. 2 x 3 results of 4 elements each.
  EXPECT_EQ(userProductVertex({2, 4, 3}).cycles(toyMachine()), Cycles(24 * 5 + 6 * 10));
}

TEST(UserAdd, AddsInPlace) {
  const VertexType add = userAddVertex({3});
  EXPECT_EQ(computed(add, {{1, 2, 3}, {10, 20, 30}}, 0), (Numbers{11, 22, 33}));
  EXPECT_EQ(add.cycles(toyMachine()), Cycles(3 * 5 + 10));
}

}  // namespace
}  // namespace ipusim::workloads
