// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/products/conv_numbers.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/vertices/plain_data.h"

namespace ipusim::workloads {

namespace {

constexpr ElementType kHalf = ElementType::Half;
constexpr ElementType kFloat = ElementType::Float;

/// Numbers with many digits, so that the order of a sum shows.
Numbers anyNumbers(std::uint64_t count, std::mt19937& random) {
  Numbers numbers(count);
  for (double& number : numbers) {
    number = static_cast<double>(static_cast<std::int32_t>(random())) / (1 << 30);
  }
  return numbers;
}

VertexType typeOf(const ConvBlocks& sizes, ElementType inputs, ElementType partials) {
  VertexType type;
  type.fields = convFields(sizes, inputs, partials);
  type.compute = [=](const VertexData& data) { computeConv(sizes, inputs, partials, data); };
  return type;
}

/// The products as the model defines them: one sum after the other, each from 0 through the
/// channels in their order, in float, stored after each in group.
Numbers oneByOne(const ConvBlocks& sizes, ElementType inputs, ElementType partials,
                 const std::vector<Numbers>& operands) {
  const auto at = [&](std::size_t operand, std::uint64_t index) {
    return static_cast<float>(executor::roundedTo(inputs, operands[operand][index]));
  };
  Numbers out;
  for (std::uint64_t go = 0; go < sizes.conv_groups * sizes.out_groups; ++go) {
    const std::uint64_t first = go / sizes.out_groups * sizes.in_groups;
    for (std::uint64_t f = 0; f < sizes.field; ++f) {
      for (std::uint64_t p = 0; p < sizes.out_chans; ++p) {
        float sum = 0;
        for (std::uint64_t i = 0; i < sizes.in_groups; ++i) {
          for (std::uint64_t c = 0; c < sizes.in_chans; ++c) {
            const std::uint64_t weight =
                ((go * sizes.in_groups + i) * sizes.out_chans + p) * sizes.in_chans + c;
            const float product =
                at(0, ((first + i) * sizes.field + f) * sizes.in_chans + c) * at(1, weight);
            sum += product;
          }
          sum = static_cast<float>(executor::roundedTo(partials, sum));
        }
        out.push_back(sum);
      }
    }
  }
  return out;
}

void expectTheSameBits(const ConvBlocks& sizes, ElementType inputs, ElementType partials) {
  std::mt19937 random;
  const VertexType type = typeOf(sizes, inputs, partials);
  const std::vector<Numbers> operands{anyNumbers(type.fields[0].elements(), random),
                                      anyNumbers(type.fields[1].elements(), random)};
  EXPECT_EQ(computed(type, operands, 2), oneByOne(sizes, inputs, partials, operands));
}

}  // namespace

TEST(ConvNumbers, AreTheSameBitsAsOneSumAfterTheOther) {
  // conv groups, in groups, out groups, in chans, out chans, positions
  const std::vector<ConvBlocks> shapes{
      {1, 1, 1, 1, 1, 1},  {1, 3, 4, 8, 16, 37}, {2, 2, 3, 16, 8, 5}, {1, 5, 1, 7, 1, 50},
      {3, 1, 20, 9, 1, 1}, {1, 2, 7, 4, 3, 6},   {2, 2, 1, 11, 2, 9}};
  for (const ConvBlocks& shape : shapes) {
    SCOPED_TRACE(testing::Message() << shape.out_groups << " x " << shape.out_chans << " chans, "
                                    << shape.field << " positions");
    expectTheSameBits(shape, kFloat, kFloat);
    expectTheSameBits(shape, kHalf, kFloat);
    expectTheSameBits(shape, kHalf, kHalf);
  }
}

}  // namespace ipusim::workloads
