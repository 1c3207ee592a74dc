// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>

#include "tests/support/toy_machine.h"
#include "tests/vertices/plain_data.h"
#include "workloads/vertices/products/products.h"

namespace ipusim::workloads {
namespace {

using models::gc200;

constexpr ElementType kHmacHalf = ElementType::Half;
constexpr ElementType kHmacFloat = ElementType::Float;

VertexType vertex(const models::HmacShape& shape, std::uint64_t field) {
  return hmacVertex({shape, field});
}

/// G, I, O, ic and pc of a shape.
models::HmacShape shapeOf(ElementType inputs, ElementType partials,
                          const std::array<std::uint64_t, 5>& sizes) {
  return {models::hmacVariant(inputs, partials),
          inputs,
          partials,
          1,
          sizes[0],
          sizes[1],
          sizes[2],
          sizes[3],
          sizes[4]};
}

/// Two in groups of 2 channels, two positions, one out group.
VertexType smallVertex(ElementType inputs, ElementType partials, std::uint64_t out_chans) {
  return vertex(shapeOf(inputs, partials, {1, 2, 1, 2, out_chans}), 2);
}

TEST(ConvPartialHorizontalMac, AddsUpTheInGroupsOfAProduct) {
  const VertexType type = smallVertex(kHmacFloat, kHmacFloat, 1);
  // Positions (1, 2, 5, 6) and (3, 4, 7, 8) times the weights (1, 10, 100, 1000).
  EXPECT_EQ(computed(type, {{1, 2, 3, 4, 5, 6, 7, 8}, {1, 10, 100, 1000}}, 2),
            (Numbers{6521, 8743}));
}

TEST(ConvPartialHorizontalMac, RoundsHalfPartialsAfterEachInGroup) {
  const VertexType type = smallVertex(kHmacHalf, kHmacHalf, 2);
  // 2048 + 0.5 + 0.5 in float; stored after the first group it is 2048, to which 0.5 adds nothing.
  const Numbers out =
      computed(type, {{2048, 0.5, 1, 1, 0.5, 0, 1, 1}, {1, 1, 0, 1, 1, 0, 0, 1}}, 2);
  EXPECT_EQ(out, (Numbers{2048, 0.5, 3, 2}));
}

TEST(ConvPartialHorizontalMac, HasTheEdgesOfTheMatrixEnginesVertex) {
  const VertexType type = vertex(shapeOf(kHmacHalf, kHmacFloat, {2, 3, 4, 16, 1}), 10);
  EXPECT_EQ(type.fields[0].edges(), 2 * 3);
  EXPECT_EQ(type.fields[0].elements(), 2 * 3 * 10 * 16);
  EXPECT_EQ(type.fields[1].edges(), 2 * 4 * 3);
  EXPECT_EQ(type.fields[2].edges(), 2 * 4);
  EXPECT_EQ(type.fields[2].memory, FieldMemory::Any);
  EXPECT_EQ(type.sizes.field_data, Bytes((6 + 24 + 8) * 4 + 36));
  EXPECT_EQ(type.work.flops, Flops(2 * 2 * 10 * 3 * 16 * 4));
}

TEST(ConvPartialHorizontalMac, HasAOneByOneVariantForHalfInputsAndFloatPartials) {
  const VertexType variant = smallVertex(kHmacHalf, kHmacFloat, 1);
  const VertexType general = smallVertex(kHmacHalf, kHmacHalf, 2);
  EXPECT_EQ(variant.name, "poplin::ConvPartialHorizontalMac1x1<half,float>");
  EXPECT_EQ(general.name, "poplin::ConvPartialHorizontalMac<half,half>");
  EXPECT_EQ(variant.sizes.state, Bytes(40));
  EXPECT_EQ(general.sizes.state, Bytes(48));
}

// conv_hmac.csv: a published row of the 1x1 variant with one position a worker.
TEST(ConvPartialHorizontalMac, CostsThePublishedEstimateOfTheOneByOneVariant) {
  const VertexType type = vertex(shapeOf(kHmacHalf, kHmacFloat, {1, 1, 97, 16, 1}), 6);
  EXPECT_EQ(type.cycles(gc200()), Cycles(29143));
}

TEST(ConvPartialHorizontalMac, CostsThePublishedEstimateWithItsZeroing) {
  const VertexType type = vertex(shapeOf(kHmacFloat, kHmacFloat, {2, 1, 1, 16, 1}), 6);
  EXPECT_EQ(type.cycles(gc200()), Cycles(1156));
}

TEST(ConvPartialHorizontalMac, CostsThePublishedEstimateOfHalfPartials) {
  const VertexType type = vertex(shapeOf(kHmacHalf, kHmacHalf, {1, 2, 79, 8, 2}), 177);
  EXPECT_EQ(type.cycles(gc200()), Cycles(594294));
}

}  // namespace
}  // namespace ipusim::workloads
