// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "tests/support/toy_machine.h"
#include "tests/vertices/plain_data.h"
#include "workloads/vertices/movement/data_movement.h"

namespace ipusim::workloads {
namespace {

TEST(OneHot, PutsAOneWhereTheIndexSays) {
  const VertexType type = oneHotVertex({ElementType::Half, 3, 2});
  // There is no class 2.
  EXPECT_EQ(computed(type, {{1, 2, 0}}, 1), (Numbers{0, 1, 0, 0, 1, 0}));
  EXPECT_EQ(type.name, "popops::EncodeOneHot<unsigned int,half>");
}

TEST(OneHot, OfHalvesCostsThePublishedEstimate) {
  EXPECT_EQ(oneHotVertex({ElementType::Half, 3, 10}).cycles(models::gc200()), Cycles(11 + 3 * 74));
}

TEST(OneHot, OfFloatsCostsAnUpdateOfSingleElements) {
  EXPECT_EQ(oneHotVertex({ElementType::Float, 3, 10}).cycles(models::gc200()),
            Cycles(6U * (29 + 3 * 21)));
}

TEST(OneHot, HoldsTwoPointersAndTwoSizes) {
  EXPECT_EQ(oneHotVertex({ElementType::Float, 3, 10}).sizes.state, Bytes(16));
  EXPECT_THROW(oneHotVertex({ElementType::Float, 0, 10}), InternalError);
}

}  // namespace
}  // namespace ipusim::workloads
