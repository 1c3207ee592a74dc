// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/params.h"

#include <gtest/gtest.h>

#include "tests/conv_planner/reference_conv.h"

namespace ipusim::workloads {
namespace {

constexpr int kCases = 2000;

ConvDim plainDim(std::uint64_t field, std::uint64_t kernel, std::uint64_t stride,
                 std::uint64_t padding) {
  ConvDim dim;
  dim.field = field;
  dim.kernel = kernel;
  dim.input.pad_lower = padding;
  dim.input.pad_upper = padding;
  dim.output.stride = stride;
  return dim;
}

TEST(OperandTransform, CountsElementsZerosAndPadding) {
  const OperandTransform transform{1, 2, 3, 4, 5, false};
  EXPECT_EQ(transform.sizeOf(7), 4 + 10 + 5U);  // a 0 0 b 0 0 c 0 0 d
  EXPECT_EQ(transform.positionOf(1, 7), 4U);
  EXPECT_EQ(transform.positionOf(4, 7), 13U);
  EXPECT_EQ(transform.sizeOf(3), 4 + 5U);
}

TEST(OperandTransform, AFlipReversesPositions) {
  const OperandTransform transform{0, 0, 1, 2, 0, true};
  EXPECT_EQ(transform.positionOf(0, 3), 2U);
  EXPECT_EQ(transform.positionOf(2, 3), 0U);
}

TEST(ConvDim, CountsOutputs) {
  EXPECT_EQ(plainDim(224, 7, 2, 3).outputs(), 112U);
  EXPECT_EQ(plainDim(56, 3, 1, 1).outputs(), 56U);
  ConvDim padded = plainDim(5, 3, 1, 0);
  padded.output.pad_lower = 2;
  EXPECT_EQ(padded.outputs(), 5U);
  EXPECT_EQ(padded.computedOutputs().begin, 2U);
  EXPECT_EQ(padded.computedOutputs().end, 5U);
}

TEST(UsedInputs, LeavesOutWhatAStrideSkips) {
  EXPECT_EQ(usedInputs(plainDim(56, 1, 2, 0))->end, 55U);
  EXPECT_EQ(usedInputs(plainDim(56, 3, 2, 1))->end, 56U);
  EXPECT_EQ(usedKernel(plainDim(2, 5, 9, 3))->size(), 2U);  // one output: positions 3 and 4
}

TEST(OutputsOfKernelElement, LeavesOutPadding) {
  const ConvDim dim = plainDim(4, 3, 1, 1);
  EXPECT_EQ(outputsOfKernelElement(dim, 0).begin, 1U);
  EXPECT_EQ(outputsOfKernelElement(dim, 0).end, 4U);
  EXPECT_EQ(outputsOfKernelElement(dim, 1).size(), 4U);
}

TEST(CanonicalConv, CutsOffWhatAStrideSkips) {
  const ConvDim dim = canonicalConv(oneDim(plainDim(56, 1, 2, 0))).dims[0];
  EXPECT_EQ(dim.input.trunc_upper, 1U);
  EXPECT_EQ(dim.output.trunc_upper, 0U);
  EXPECT_EQ(dim.outputs(), 28U);
}

TEST(CanonicalConv, AnOutputBehindAllInputsBecomesPadding) {
  ConvDim dim = plainDim(4, 1, 1, 0);
  dim.input.pad_upper = 3;
  const ConvDim canonical = canonicalConv(oneDim(dim)).dims[0];
  EXPECT_EQ(canonical.input.pad_upper, 0U);
  EXPECT_EQ(canonical.output.pad_upper, 3U);
  EXPECT_EQ(canonical.outputs(), 7U);
}

TEST(CanonicalConv, OneOutputNeedsNoStride) {
  EXPECT_EQ(canonicalConv(oneDim(plainDim(7, 7, 2, 0))).dims[0].output.stride, 1U);
}

TEST(CanonicalConv, WhereAllIsZeroOneZeroIsLeft) {
  ConvDim dim = plainDim(4, 2, 1, 0);
  dim.input.trunc_lower = 4;
  dim.input.pad_lower = 5;
  const ConvDim zero = canonicalConv(oneDim(dim)).dims[0];
  EXPECT_EQ(zero.fieldPositions(), 1U);
  EXPECT_EQ(zero.kernelPositions(), 1U);
  EXPECT_EQ(zero.computedOutputs().size(), 0U);
  EXPECT_EQ(zero.outputs(), 4U);
}

TEST(CanonicalConv, HasTheSameNumbers) {
  AnyDim any(1);
  for (int i = 0; i < kCases; ++i) {
    const ConvDim dim = any.dim();
    const ConvDim canonical = canonicalConv(oneDim(dim)).dims[0];
    const Numbers input = any.numbers(dim.field);
    const Numbers kernel = any.numbers(dim.kernel);
    ASSERT_EQ(convolved(canonical, input, kernel), convolved(dim, input, kernel)) << "case " << i;
  }
}

TEST(CanonicalConv, NeedsNoMoreWork) {
  AnyDim any(2);
  for (int i = 0; i < kCases; ++i) {
    const ConvDim dim = any.dim();
    const ConvDim canonical = canonicalConv(oneDim(dim)).dims[0];
    EXPECT_LE(canonical.fieldPositions(), std::max<std::uint64_t>(1, dim.fieldPositions()));
    EXPECT_LE(canonical.computedOutputs().size(), dim.computedOutputs().size());
    ASSERT_TRUE(canonicalConv(oneDim(canonical)).dims[0] == canonical) << "case " << i;
  }
}

TEST(SwappedConv, HasTheSameNumbers) {
  AnyDim any(3);
  for (int i = 0; i < kCases; ++i) {
    const ConvParams params = canonicalConv(oneDim(any.dim()));
    const ConvDim& dim = params.dims[0];
    const Numbers one = any.numbers(dim.field);
    const Numbers other = any.numbers(dim.kernel);
    const ConvDim swapped = swappedConv(params).dims[0];
    ASSERT_EQ(convolved(swapped, other, one), convolved(dim, one, other)) << "case " << i;
  }
}

TEST(SwappedConv, ExchangesBatchAndOutChannels) {
  ConvParams params = oneDim(plainDim(8, 3, 1, 1));
  params.batch = 5;
  params.in_chans = 6;
  params.out_chans = 7;
  const ConvParams swapped = swappedConv(params);
  EXPECT_EQ(swapped.batch, 7U);
  EXPECT_EQ(swapped.in_chans, 6U);
  EXPECT_EQ(swapped.out_chans, 5U);
  EXPECT_EQ(swapped.dims[0].outputs(), 8U);
}

/// All zeros but for a one at `index`.
Numbers unit(std::uint64_t count, std::uint64_t index) {
  Numbers numbers(count, 0);
  numbers.at(index) = 1;
  return numbers;
}

std::int64_t dotOf(const Numbers& a, const Numbers& b) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b.at(i);
  return sum;
}

TEST(BackwardConv, GivesTheGradientOfTheInput) {
  AnyDim any(4);
  for (int i = 0; i < kCases; ++i) {
    const ConvDim dim = any.dim();
    const Numbers kernel = any.numbers(dim.kernel);
    const Numbers gradient = any.numbers(dim.outputs());
    Numbers expected;
    for (std::uint64_t e = 0; e < dim.field; ++e) {
      expected.push_back(dotOf(gradient, convolved(dim, unit(dim.field, e), kernel)));
    }
    const ConvDim backward = backwardConv(oneDim(dim)).dims[0];
    const Numbers reversed(kernel.rbegin(), kernel.rend());
    ASSERT_EQ(convolved(backward, gradient, reversed), expected) << "case " << i;
  }
}

TEST(WeightUpdateConv, GivesTheGradientOfTheWeights) {
  AnyDim any(5);
  for (int i = 0; i < kCases; ++i) {
    const ConvDim dim = any.dim();
    const Numbers input = any.numbers(dim.field);
    const Numbers gradient = any.numbers(dim.outputs());
    Numbers expected;
    for (std::uint64_t k = 0; k < dim.kernel; ++k) {
      expected.push_back(dotOf(gradient, convolved(dim, input, unit(dim.kernel, k))));
    }
    const ConvDim update = weightUpdateConv(oneDim(dim)).dims[0];
    ASSERT_EQ(convolved(update, input, gradient), expected) << "case " << i;
  }
}

TEST(TrainingPasses, ExchangeChannels) {
  ConvParams forward = oneDim(plainDim(8, 3, 1, 1));
  forward.batch = 5;
  forward.in_chans = 6;
  forward.out_chans = 7;
  EXPECT_EQ(backwardConv(forward).in_chans, 7U);
  EXPECT_EQ(backwardConv(forward).out_chans, 6U);
  EXPECT_EQ(weightUpdateConv(forward).batch, 6U);
  EXPECT_EQ(weightUpdateConv(forward).in_chans, 5U);
  EXPECT_EQ(weightUpdateConv(forward).out_chans, 7U);
}

}  // namespace
}  // namespace ipusim::workloads
