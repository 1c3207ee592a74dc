// SPDX-License-Identifier: Apache-2.0
#include "ipusim/tensor.h"

#include <gmock/gmock.h>

#include "ipusim/error.h"

namespace ipusim::workloads {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// The place of every element in its variable, in the order of the view.
std::vector<std::uint64_t> places(const View& view) {
  std::vector<std::uint64_t> all;
  for (const Section& section : view) {
    for (std::uint64_t i = 0; i < section.elements(); ++i) {
      std::uint64_t place = section.begin();
      std::uint64_t rest = i;
      const auto& levels = section.walk.levels;
      for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
        place += rest % level->count * level->stride.value();
        rest /= level->count;
      }
      all.push_back(place);
    }
  }
  return all;
}

std::vector<std::uint64_t> places(const Tensor& tensor) {
  return places(tensor.view());
}

Tensor matrix(std::uint64_t rows, std::uint64_t columns) {
  return Tensor(VariableId{0}, ElementType::Float, {rows, columns});
}

}  // namespace

TEST(Tensor, ASliceOfColumnsIsOneSection) {
  const Tensor columns = matrix(3, 10).slice(4, 6, 1);
  EXPECT_EQ(columns.view().size(), 1U);
  EXPECT_THAT(places(columns), ElementsAre(4, 5, 14, 15, 24, 25));
}

TEST(Tensor, DimShuffleWalksTheOtherWay) {
  EXPECT_THAT(places(matrix(2, 3).dimShuffle({1, 0})), ElementsAre(0, 3, 1, 4, 2, 5));
}

TEST(Tensor, ReshapeKeepsRowMajorOrder) {
  EXPECT_THAT(places(matrix(4, 6).slice(1, 3, 0).reshape({3, 4}).slice(2, 3, 0)),
              ElementsAre(14, 15, 16, 17));
}

TEST(Tensor, ReshapeOfAShuffledTensorFollowsIt) {
  const Tensor shuffled = matrix(2, 4).dimShuffle({1, 0});  // 0 4 1 5 2 6 3 7
  EXPECT_THAT(places(shuffled.reshape({2, 4}).slice(1, 2, 0)), ElementsAre(2, 6, 3, 7));
}

TEST(Tensor, BroadcastRepeatsWithoutCopies) {
  const Tensor repeated = matrix(2, 2).reshape({2, 1, 2}).broadcast(2, 1);
  EXPECT_EQ(repeated.view().size(), 1U);
  EXPECT_THAT(places(repeated), ElementsAre(0, 1, 0, 1, 2, 3, 2, 3));
}

TEST(Tensor, ConcatAlongTheInnerDimensionAlternates) {
  const Tensor left = matrix(2, 4).slice(0, 2, 1);
  const Tensor right = matrix(2, 4).slice(3, 4, 1);
  EXPECT_THAT(places(concat({right, left}, 1)), ElementsAre(3, 0, 1, 7, 4, 5));
}

TEST(Tensor, AReshapedConcatKeepsItsOrder) {
  const Tensor joined = concat({matrix(2, 4).slice(0, 2, 1), matrix(2, 4).slice(3, 4, 1)}, 1);
  EXPECT_THAT(places(joined.reshape({6}).slice(1, 5, 0)), ElementsAre(1, 3, 4, 5));
}

TEST(Tensor, CostGrowsWithPiecesNotElements) {
  const Tensor large = matrix(1U << 20U, 1U << 20U);
  EXPECT_EQ(large.reshape({1U << 10U, 1U << 10U, 1U << 20U}).dimShuffle({1, 0, 2}).view().size(),
            1U);
}

TEST(Tensor, AFlatViewIsThatRangeOfTheWhole) {
  const Tensor wide = matrix(3, 4).reshape({3, 2, 1, 2}).broadcast(2, 2);
  const std::vector<std::uint64_t> all = places(wide);
  for (std::uint64_t begin = 0; begin < all.size(); ++begin) {
    for (std::uint64_t end = begin; end <= all.size(); ++end) {
      EXPECT_EQ(places(wide.flatView(begin, end)),
                std::vector<std::uint64_t>(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                           all.begin() + static_cast<std::ptrdiff_t>(end)));
    }
  }
}

TEST(Tensor, AFlatViewOfABroadcastHasFewSections) {
  const Tensor wide =
      matrix(1U << 12U, 1U << 12U).reshape({1U << 12U, 1U << 11U, 1, 2}).broadcast(2, 2);
  EXPECT_LE(wide.flatView(12'345, 30'000'001).size(), 7U);
}

TEST(Tensor, MovesToOtherVariablesAsItStands) {
  const Tensor shuffled = matrix(2, 3).dimShuffle({1, 0});
  const Tensor other = shuffled.inVariable(VariableId{5});
  EXPECT_EQ(places(other.view()), places(shuffled.view()));
  EXPECT_EQ(other.view()[0].variable, VariableId{5});
}

TEST(Tensor, OneElementGainsAndLosesItsDimensions) {
  const Tensor element = matrix(2, 3).slice(1, 2, 0).slice(2, 3, 1);
  const Tensor scalar = element.reshape({});
  EXPECT_THAT(scalar.shape(), IsEmpty());
  EXPECT_THAT(places(scalar), ElementsAre(5));
  EXPECT_THAT(scalar.reshape({1, 1, 1}).shape(), ElementsAre(1, 1, 1));
  EXPECT_THAT(places(scalar.reshape({1, 1, 1})), ElementsAre(5));
  EXPECT_THROW((void)matrix(2, 3).reshape({}), GraphError);
}

TEST(Tensor, RefusesASliceOutsideItself) {
  EXPECT_THROW((void)matrix(2, 3).slice(1, 4, 1), GraphError);
  EXPECT_THROW((void)matrix(2, 3).reshape({7}), GraphError);
}

}  // namespace ipusim::workloads
