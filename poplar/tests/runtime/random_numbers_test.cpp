// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "poplar/RandomSeed.hpp"
#include "poplar/tests/runtime/library_fixture.h"
#include "popops/Cast.hpp"
#include "poprand/RandomGen.hpp"

namespace {

using poplar::Tensor;
using testing::Each;
using testing::ElementsAreArray;

class RandomNumbers : public LibraryProgram {
 protected:
  Tensor like(std::size_t count) { return spread({count}, std::vector<float>(count)); }

  static double mean(const std::vector<float>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  }
  static double deviation(const std::vector<float>& values) {
    double sum = 0;
    for (const float value : values) sum += std::pow(value - mean(values), 2);
    return std::sqrt(sum / static_cast<double>(values.size()));
  }
};

TEST_F(RandomNumbers, UniformOnesFillTheirRange) {
  const auto values =
      after<float>(poprand::uniform(graph, nullptr, 0, like(4000), poplar::FLOAT, -1, 3, program));
  EXPECT_GE(*std::min_element(values.begin(), values.end()), -1);
  EXPECT_LT(*std::max_element(values.begin(), values.end()), 3);
  EXPECT_NEAR(mean(values), 1, 0.1);
  EXPECT_NEAR(deviation(values), 4 / std::sqrt(12), 0.1);
}

TEST_F(RandomNumbers, VerticesOfATileHaveNumbersOfTheirOwn) {
  const Tensor seed = spread<unsigned>({2}, {1, 2});
  auto values =
      after<float>(poprand::uniform(graph, &seed, 4, like(1000), poplar::FLOAT, 0, 1, program));
  std::sort(values.begin(), values.end());
  const auto other = std::unique(values.begin(), values.end());
  EXPECT_GT(other - values.begin(), 990) << "of 1,000 numbers with 24 bits";
}

TEST_F(RandomNumbers, WholeOnesIncludeBothEnds) {
  auto values =
      after<int>(poprand::uniform(graph, nullptr, 0, like(400), poplar::INT, -2, 2, program));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  EXPECT_THAT(values, testing::ElementsAre(-2, -1, 0, 1, 2));
}

TEST_F(RandomNumbers, NormalOnesHaveMeanAndDeviation) {
  const auto values =
      after<float>(poprand::normal(graph, nullptr, 0, like(4000), poplar::FLOAT, 5, 2, program));
  EXPECT_NEAR(mean(values), 5, 0.15);
  EXPECT_NEAR(deviation(values), 2, 0.15);
}

TEST_F(RandomNumbers, TruncatedOnesStayNear) {
  const auto values = after<float>(
      poprand::truncatedNormal(graph, nullptr, 0, like(1000), poplar::FLOAT, 0, 2, 1.5, program));
  EXPECT_THAT(values, Each(testing::AllOf(testing::Ge(-3.0F), testing::Le(3.0F))));
  EXPECT_GT(deviation(values), 1);
}

TEST_F(RandomNumbers, ABernoulliIsOneAsOftenAsSaid) {
  const auto values =
      after<float>(poprand::bernoulli(graph, nullptr, 0, like(4000), poplar::FLOAT, 0.25, program));
  EXPECT_THAT(values, Each(testing::AnyOf(0.0F, 1.0F)));
  EXPECT_NEAR(mean(values), 0.25, 0.03);
}

TEST_F(RandomNumbers, EachStepDrawsOthersAndEachLoadTheSame) {
  const Tensor x = poprand::uniform(graph, nullptr, 0, like(8), poplar::FLOAT, 0, 1, program);
  const Tensor y = poprand::uniform(graph, nullptr, 0, like(8), poplar::FLOAT, 0, 1, program);
  const auto first = after<float>(poplar::concat(x, y));
  EXPECT_NE(std::vector<float>(first.begin(), first.begin() + 8),
            std::vector<float>(first.begin() + 8, first.end()));
  poplar::Engine again(graph, program);
  again.loadAndRun(device);
  std::vector<float> second(16);
  again.readTensor("values", second.data());
  EXPECT_EQ(first, second);
}

TEST_F(RandomNumbers, ASeedGivesTheSameNumbersWhereverItIsUsed) {
  const Tensor seed = spread<unsigned>({2}, {42, 7});
  const Tensor x = poprand::uniform(graph, &seed, 3, like(8), poplar::FLOAT, 0, 1, program);
  poprand::uniform(graph, nullptr, 0, like(8), poplar::FLOAT, 0, 1, program);
  const Tensor y = poprand::uniform(graph, &seed, 3, like(8), poplar::FLOAT, 0, 1, program);
  const Tensor z = poprand::uniform(graph, &seed, 4, like(8), poplar::FLOAT, 0, 1, program);
  const auto all = after<float>(poplar::concat({x, y, z}));
  const std::vector<float> first(all.begin(), all.begin() + 8);
  EXPECT_THAT(first, ElementsAreArray(all.begin() + 8, all.begin() + 16));
  EXPECT_THAT(first, testing::Not(ElementsAreArray(all.begin() + 16, all.end())));
}

TEST_F(RandomNumbers, SettingTheSeedStartsTheNumbersAgain) {
  const Tensor seed = spread<unsigned>({2}, {1, 2});
  poprand::setSeed(graph, seed, 0, program);
  const Tensor x = poprand::normal(graph, nullptr, 0, like(12), poplar::FLOAT, 0, 1, program);
  poprand::setSeed(graph, seed, 0, program);
  const Tensor y = poprand::normal(graph, nullptr, 0, like(12), poplar::FLOAT, 0, 1, program);
  const auto all = after<float>(poplar::concat(x, y));
  EXPECT_THAT(std::vector<float>(all.begin(), all.begin() + 12),
              ElementsAreArray(all.begin() + 12, all.end()));
}

TEST_F(RandomNumbers, TheStateIsReadAndSetAgain) {
  const Tensor state = poplar::getHwSeeds(graph, program);
  EXPECT_THAT(state.shape(), testing::ElementsAre(4, 6, 4));
  const Tensor x = poprand::uniform(graph, nullptr, 0, like(12), poplar::HALF, 0, 1, program);
  poplar::setHwSeeds(graph, state, program);
  const Tensor y = poprand::uniform(graph, nullptr, 0, like(12), poplar::HALF, 0, 1, program);
  const auto all = after<float>(popops::cast(graph, poplar::concat(x, y), poplar::FLOAT, program));
  EXPECT_THAT(std::vector<float>(all.begin(), all.begin() + 12),
              ElementsAreArray(all.begin() + 12, all.end()));
}

}  // namespace
