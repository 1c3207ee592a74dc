// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "poplar/tests/runtime/small_device.h"
#include "poputil/Util.hpp"

namespace {

using poplar::Interval;
using poputil::splitRegions;
using testing::ElementsAre;

TEST(SplitRegions, PartsHaveWholeGrainsAndAreAsEqualAsThoseAllow) {
  // 20 elements are 5 grains: 1, 2 and 2 of them.
  EXPECT_THAT(
      splitRegions({{0, 10}, {30, 40}}, 4, 3),
      ElementsAre(ElementsAre(Interval(0, 4)), ElementsAre(Interval(4, 10), Interval(30, 32)),
                  ElementsAre(Interval(32, 40))));
}

TEST(SplitRegions, TakesNoMorePartsThanTheLargestNeeds) {
  // With 5 parts of 4 workers the largest has 2 grains, and 3 parts are enough for that.
  EXPECT_EQ(splitRegions({{0, 5}}, 1, 4).size(), 3U);
}

TEST(SplitRegions, APartHasAtLeastAndAtMostSoManyElements) {
  EXPECT_EQ(splitRegions({{0, 32}}, 1, 8, 10).size(), 3U);
  EXPECT_EQ(splitRegions({{0, 32}}, 1, 2, 0, 4).size(), 8U);
  EXPECT_THAT(splitRegions({{0, 8}}, 2, 1, 0, 8, 5),
              ElementsAre(ElementsAre(Interval(0, 4), Interval(4, 8))));
}

TEST(SplitRegions, NothingHasNoParts) {
  EXPECT_TRUE(splitRegions(std::vector<Interval>(), 1, 6).empty());
}

TEST(SplitRegions, SequencesStayTogetherWithinAPart) {
  const std::vector<std::vector<Interval>> sequences = {{{0, 3}, {10, 13}}, {{20, 26}}};
  EXPECT_THAT(splitRegions(sequences, 1, 3),
              ElementsAre(ElementsAre(ElementsAre(Interval(0, 3), Interval(10, 11))),
                          ElementsAre(ElementsAre(Interval(11, 13)), ElementsAre(Interval(20, 22))),
                          ElementsAre(ElementsAre(Interval(22, 26)))));
}

TEST(SplitRegions, EachWorkerHasAPart) {
  const poplar::Device device = fourTiles();
  EXPECT_EQ(poputil::splitRegionsBetweenWorkers(device.getTarget(), {Interval(0, 60)}, 2).size(),
            6U);
}

TEST(ArrayRef, KeepsANumberListBeyondItsLife) {
  const poplar::ArrayRef<float> view = poplar::ArrayRef<float>({1.5F, 2.5F});
  EXPECT_THAT(poplar::ArrayRef<float>(view).cloneAsVector(), ElementsAre(1.5F, 2.5F));
}

}  // namespace
