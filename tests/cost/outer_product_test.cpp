// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/products/outer_product.h"

#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

Cycles outerCycles(ElementType type, std::uint64_t chans, std::uint32_t grouped) {
  return outerProductCycles(toyMachine(), {type, 3, chans, grouped});  // 3 positions
}

TEST(OuterProductCycles, StoreAVectorASlotOnTheFastPath) {
  EXPECT_EQ(outerCycles(ElementType::Float, 16, 8), Cycles(25 + 2 * (11 + 3 * (6 + 1))));
  EXPECT_EQ(outerCycles(ElementType::Half, 32, 16), Cycles(25 + 2 * (10 + 3 * (6 + 1))));
}

TEST(OuterProductCycles, TakeTheSlowPathForShortOrRaggedGroups) {
  EXPECT_EQ(outerCycles(ElementType::Float, 8, 4), Cycles(25 + 2 * (11 + 3 * (10 + 8))));
  EXPECT_EQ(outerCycles(ElementType::Float, 7, 7), Cycles(25 + 11 + 3 * (10 + 14)));
  EXPECT_EQ(outerCycles(ElementType::Half, 14, 14), Cycles(25 + 10 + 3 * (10 + 35)));
}

TEST(OuterProductCycles, TakeTheSlowPathBeyondTheStrideField) {
  EXPECT_EQ(outerCycles(ElementType::Float, 1020, 1020), Cycles(25 + 11 + 3 * (6 + 507)));
  EXPECT_EQ(outerCycles(ElementType::Float, 1022, 1022), Cycles(25 + 11 + 3 * (10 + 2044)));
}

}  // namespace
}  // namespace ipusim::models
