// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"
#include "tests/vertices/plain_data.h"
#include "workloads/vertices/user/custom.h"

namespace ipusim::workloads {
namespace {

TEST(Triad, AddsAScaledVector) {
  EXPECT_EQ(computed(triadVertex({3, 2}), {{1, 2}, {10, 20}}, 2), (Numbers{31, 62}));
}

TEST(Triad, TakesAnInstructionAVectorOnEachWorker) {
  // 6 x 1000 vectors of two floats: each more vector a worker is one more slot of six cycles.
  const Cycles some = triadVertex({3, 12'000}).cycles(models::gc200());
  EXPECT_EQ(triadVertex({3, 12'012}).cycles(models::gc200()), some + Cycles(6));
}

TEST(Triad, KeepsItsOperandsApart) {
  const VertexType triad = triadVertex({3, 4});
  EXPECT_EQ(triad.fields[1].apart_from, 0);
  EXPECT_EQ(triad.fields[2].apart_from, 1);
}

}  // namespace
}  // namespace ipusim::workloads
