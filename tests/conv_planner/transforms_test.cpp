// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/transforms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/support/toy_machine.h"

namespace ipusim::workloads {
namespace {

using models::gc200Sdk;
using testing::ElementsAre;
using testing::IsEmpty;

ConvDim dimOf(std::uint64_t field, std::uint64_t kernel) {
  ConvDim dim;
  dim.field = field;
  dim.kernel = kernel;
  return dim;
}

/// A convolution of 5 batch elements, 6 in channels and 7 out channels.
ConvParams paramsOf(std::vector<ConvDim> dims) {
  ConvParams params;
  params.batch = 5;
  params.in_chans = 6;
  params.out_chans = 7;
  params.dims = std::move(dims);
  return params;
}

/// The transforms that are tried on a convolution by itself.
std::vector<TransformedConv> transformsTried(const ConvParams& params) {
  ConvProblem problem;
  problem.params = params;
  return transformsOf(gc200Sdk(), problem);
}

TEST(ConvTransforms, ARowGetsASecondDimension) {
  const TransformedConv first = transformsTried(paramsOf({dimOf(9, 3)})).front();
  EXPECT_EQ(first.transforms.extra_dims, 1U);
  ASSERT_EQ(first.params.dims.size(), 2U);
  EXPECT_EQ(first.params.dims[0].outputs(), 1U * 5);  // the batch, flattened
  EXPECT_EQ(first.params.dims[1].outputs(), 7U);
}

TEST(ConvTransforms, AKernelOfOneMakesOneRow) {
  const TransformedConv first = transformsTried(paramsOf({dimOf(9, 1), dimOf(4, 1)})).front();
  EXPECT_THAT(first.transforms.flatten, ElementsAre(0, 1));
  EXPECT_EQ(first.params.batch, 1U);
  EXPECT_EQ(first.params.dims[0].field, 1U);
  EXPECT_EQ(first.params.dims[1].field, 5 * 9 * 4U);
}

TEST(ConvTransforms, ARealKernelIsNotFlattened) {
  const auto all = transformsTried(paramsOf({dimOf(9, 3), dimOf(4, 3)}));
  EXPECT_THAT(all.front().transforms.flatten, IsEmpty());
}

TEST(ConvTransforms, ExpandingMakesInChannelsOfTheKernel) {
  ConvTransforms expand;
  expand.expand = {1, 0};
  const TransformedConv conv = transformedConv(paramsOf({dimOf(9, 3), dimOf(6, 2)}), expand);
  EXPECT_EQ(conv.params.in_chans, 6 * 3 * 2U);
  EXPECT_EQ(conv.in_chans_before, 6U);
  EXPECT_EQ(conv.params.dims[1].field, 5 * 7 * 5U);  // one row of batch and outputs
  EXPECT_TRUE(conv.transforms.hasMoved(0));
  EXPECT_TRUE(conv.transforms.hasMoved(1));
}

TEST(ConvTransforms, OutputPositionsBecomeOutChannels) {
  ConvTransforms flatten;
  flatten.out_chan_flatten = {1};
  const TransformedConv conv = transformedConv(paramsOf({dimOf(9, 3), dimOf(6, 6)}), flatten);
  ConvParams with_padding = paramsOf({dimOf(9, 3), dimOf(6, 6)});
  with_padding.dims[1].input.pad_lower = 1;
  const TransformedConv wide = transformedConv(with_padding, flatten);
  EXPECT_EQ(conv.params.out_chans, 7U);
  EXPECT_EQ(wide.params.out_chans, 7 * 2U);
  EXPECT_EQ(wide.params.dims[1].outputs(), 5U);  // the batch, flattened
  EXPECT_EQ(wide.params.in_chans, 6 * 6U);
}

TEST(ConvTransforms, ADilatedInputWithoutKernelIsDilatedAfter) {
  ConvParams params = paramsOf({dimOf(9, 3), dimOf(4, 1)});
  params.dims[0].input.dilation = 2;
  params.dims[1].input.dilation = 2;
  params.dims[1].output.pad_upper = 1;
  const TransformedConv first = transformsTried(params).front();
  EXPECT_THAT(first.transforms.dilate_after, ElementsAre(1));
  EXPECT_EQ(first.params.dims[0].input.dilation, 2U);
  EXPECT_TRUE(first.params.dims[1].hasNoTransform());
}

/// The numbers of groups that are combined in some transforms of `params`.
std::set<std::uint32_t> combinedOf(const ConvParams& params) {
  std::set<std::uint32_t> counts;
  for (const TransformedConv& conv : transformsTried(params)) {
    counts.insert(conv.transforms.combined_groups);
  }
  return counts;
}

TEST(ConvTransforms, CombinesGroupsWithFewChannelsUpToALoadOfWeights) {
  ConvParams params = paramsOf({dimOf(9, 1), dimOf(9, 1)});
  params.groups = 20;
  params.in_chans = 1;
  EXPECT_THAT(combinedOf(params), ElementsAre(1, 4, 8, 16));
  params.input = ElementType::Float;
  EXPECT_THAT(combinedOf(params), ElementsAre(1, 2, 4, 8));
  params.in_chans = 2;
  EXPECT_THAT(combinedOf(params), ElementsAre(1));
}

TEST(ConvTransforms, TriesBothOrdersOfOperandsAndAllDimensions) {
  const auto all = transformsTried(paramsOf({dimOf(9, 3), dimOf(8, 3)}));
  // As given, both dimensions may be expanded. Swapped, a kernel of 9 x 8 on a field of 3 x 3 has
  // output positions that may become out channels.
  EXPECT_EQ(all.size(), 4 + 4U);
  EXPECT_FALSE(all[0].transforms.swap);
  EXPECT_THAT(all[1].transforms.expand, ElementsAre(0));
  EXPECT_THAT(all[3].transforms.expand, ElementsAre(1, 0));
  EXPECT_TRUE(all[4].transforms.swap);
  EXPECT_THAT(all[7].transforms.out_chan_flatten, ElementsAre(1, 0));
}

}  // namespace
}  // namespace ipusim::workloads
