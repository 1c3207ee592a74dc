// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/movement/zero.h"

#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

TEST(ZeroPartialsCycles, StoreAVectorATurn) {
  // 13 elements are 3 for the busiest worker: 2 stores of floats, 1 of halves.
  EXPECT_EQ(zeroPartialsCycles(toyMachine(), {ElementType::Float, 13, 2}), 12 * Cycles(2 + 5));
  EXPECT_EQ(zeroPartialsCycles(toyMachine(), {ElementType::Half, 13, 2}), 12 * Cycles(1 + 5));
}

TEST(ZeroPartialsCycles, CallEveryRegionEvenIfEmpty) {
  EXPECT_EQ(zeroPartialsCycles(toyMachine(), {ElementType::Float, 0, 3}), 18 * Cycles(5));
}

}  // namespace
}  // namespace ipusim::models
