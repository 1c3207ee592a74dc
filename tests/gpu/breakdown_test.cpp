// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/breakdown.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace ipusim::gpu {
namespace {

Breakdown parts() {
  Breakdown parts;
  parts.compute_seconds = 5;
  parts.load_pipe_seconds = 2;
  parts.l2_seconds = 3;
  parts.dram_seconds = 4;
  parts.launch_seconds = 1;
  parts.combine_seconds = 0.5;
  return parts;
}

TEST(Overlapped, IsTheLongestResourceAndWhatIsAddedAlways) {
  EXPECT_DOUBLE_EQ(overlapped(parts()).device_seconds, 6.5);
  EXPECT_DOUBLE_EQ(overlapped(parts()).seconds, 6.5);
  EXPECT_EQ(overlapped(parts()).bound, Bound::Compute);
}

TEST(InSequence, AddsTheResources) {
  EXPECT_DOUBLE_EQ(inSequence(parts()).seconds, 15.5);
}

TEST(Sum, AddsEachPartAndTheTotals) {
  Breakdown slow = parts();
  slow.dram_seconds = 20;
  const Breakdown sum = overlapped(parts()) + overlapped(slow);
  EXPECT_DOUBLE_EQ(sum.compute_seconds, 10);
  EXPECT_DOUBLE_EQ(sum.dram_seconds, 24);
  EXPECT_DOUBLE_EQ(sum.combine_seconds, 1);
  EXPECT_DOUBLE_EQ(sum.seconds, 6.5 + 21.5);
  EXPECT_EQ(sum.bound, Bound::Dram);
}

TEST(Times, RepeatsEachPart) {
  const Breakdown thrice = overlapped(parts()) * 3;
  EXPECT_DOUBLE_EQ(thrice.launch_seconds, 3);
  EXPECT_DOUBLE_EQ(thrice.load_pipe_seconds, 6);
  EXPECT_DOUBLE_EQ(thrice.l2_seconds, 9);
  EXPECT_DOUBLE_EQ(thrice.seconds, 19.5);
  EXPECT_EQ(thrice.bound, Bound::Compute);
}

TEST(BoundOf, IsWhatTakesLongest) {
  Breakdown some;
  some.launch_seconds = 1;
  EXPECT_EQ(boundOf(some), Bound::Launch);
  some.l2_seconds = 2;
  EXPECT_EQ(boundOf(some), Bound::L2);
  some.load_pipe_seconds = 3;
  EXPECT_EQ(boundOf(some), Bound::LoadPipe);
  some.device_seconds = 3;
  some.host_seconds = 4;
  EXPECT_EQ(boundOf(some), Bound::Host);
}

TEST(BoundNames, Differ) {
  std::set<std::string> names;
  for (const Bound bound :
       {Bound::Compute, Bound::LoadPipe, Bound::L2, Bound::Dram, Bound::Launch, Bound::Host}) {
    EXPECT_TRUE(names.insert(nameOf(bound)).second);
  }
}

}  // namespace
}  // namespace ipusim::gpu
