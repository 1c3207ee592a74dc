// SPDX-License-Identifier: Apache-2.0
#include "sim/interop/topology/topology_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/thrown.h"

namespace ipusim::interop {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kConvolutions =
    "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, "
    "Strides,\n";
const std::string kProducts = "Layer, M, N, K,\n";

std::string errorIn(const std::string& text) {
  return configErrorOf([&] { parseTopology(text, "t.csv"); });
}

TopologyConvolution convolutionIn(const std::string& text) {
  return std::get<TopologyConvolution>(parseTopology(text, "t.csv").at(0).shape);
}

TEST(ParseTopology, ReadsConvolutions) {
  const TopologyConvolution conv = convolutionIn(kConvolutions + "Stem, 65, 60, 3, 5, 4, 32, 2,\n");
  EXPECT_EQ(conv.ifmap_height, 65U);
  EXPECT_EQ(conv.ifmap_width, 60U);
  EXPECT_EQ(conv.filter_height, 3U);
  EXPECT_EQ(conv.filter_width, 5U);
  EXPECT_EQ(conv.channels, 4U);
  EXPECT_EQ(conv.filters, 32U);
  EXPECT_EQ(conv.stride_height, 2U);
  EXPECT_EQ(conv.stride_width, 2U);
  EXPECT_FALSE(conv.is_depthwise);
}

TEST(ParseTopology, ReadsWholeNumbersWithExponents) {
  EXPECT_EQ(convolutionIn(kConvolutions + "A, 1e3, 60, 3, 5.0, 4, 32, 2,\n").ifmap_height, 1000U);
  EXPECT_THAT(errorIn(kConvolutions + "A, 1.5, 60, 3, 5, 4, 32, 2,\n"), HasSubstr("\"1.5\""));
}

TEST(ParseTopology, ReadsAStrideForEachDimension) {
  const std::string header =
      "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, "
      "Stride height, Stride width,\n";
  const TopologyConvolution conv = convolutionIn(header + "A, 9, 8, 3, 2, 4, 8, 2, 3,\n");
  EXPECT_EQ(conv.stride_height, 2U);
  EXPECT_EQ(conv.stride_width, 3U);
}

TEST(ParseTopology, ReadsProducts) {
  const auto layers = parseTopology(kProducts + "A, 2, 3, 5,\n\nB, 7, 8, 9,\n", "t.csv");
  ASSERT_EQ(layers.size(), 2U);
  const auto& product = std::get<TopologyProduct>(layers[0].shape);
  EXPECT_EQ(product.m, 2U);
  EXPECT_EQ(product.n, 3U);
  EXPECT_EQ(product.k, 5U);
  EXPECT_EQ(layers[1].name, "B");
  EXPECT_EQ(layers[1].line, 4U);
}

TEST(ParseTopology, KnowsDepthwiseLayersByTheirNames) {
  EXPECT_TRUE(convolutionIn(kConvolutions + "Conv_DP1, 9, 9, 3, 3, 8, 1, 1,\n").is_depthwise);
}

TEST(ParseTopology, TakesFilesOfOtherPrograms) {
  const auto layers = parseTopology(
      "\xef\xbb\xbf"
      "Layer,m,n,k\r\n,,,\r\nA,1,2,3,,\r\nB,1,2,3",
      "t");
  ASSERT_EQ(layers.size(), 2U);
  EXPECT_EQ(layers[1].line, 4U);
}

TEST(ParseTopology, TellsNamesApartThatComeAgain) {
  const auto layers = parseTopology(kProducts + "A,1,1,1,\nA,1,1,1,\nA:2,1,1,1,\nx/y,1,1,1,", "t");
  EXPECT_EQ(layers[1].name, "A:2");
  EXPECT_EQ(layers[2].name, "A:2:2");
  EXPECT_EQ(layers[3].name, "x.y");
}

TEST(ParseTopology, NamesTheCellOfAMistake) {
  EXPECT_EQ(errorIn(kConvolutions + "A, 9, 1x, 3, 3, 8, 1, 1,\n"),
            "t.csv:2: column 3 (IFMAP Width): wanted a whole number from 1 to 1048576, found "
            "\"1x\"");
  EXPECT_THAT(errorIn(kConvolutions + "A, 9, 9, 3, 3, 8, 0, 1,\n"),
              StartsWith("t.csv:2: column 7 (Num Filter): wanted"));
  EXPECT_THAT(errorIn(kProducts + "A, -1, 9, 3\n"), StartsWith("t.csv:2: column 2 (M): wanted"));
  EXPECT_EQ(errorIn(kConvolutions + "A, 9, 2, 3, 3, 8, 1, 1,\n"),
            "t.csv:2: column 5 (Filter Width): wanted a filter of at most 2, as the map, found 3");
}

/// SCALE-Sim itself does not read names.
TEST(ParseTopology, TakesEightColumnsWithoutAKnownNameByTheirPlace) {
  const TopologyConvolution conv = convolutionIn("a,b,c,d,e,f,g,h\nA, 9, 8, 3, 2, 4, 16, 1,\n");
  EXPECT_EQ(conv.ifmap_width, 8U);
  EXPECT_EQ(conv.filters, 16U);
}

TEST(ParseTopology, FindsColumnsByTheirNames) {
  const auto layers = parseTopology("Layer, K, M, N,\nA, 5, 2, 3,\n", "t.csv");
  const auto& product = std::get<TopologyProduct>(layers[0].shape);
  EXPECT_EQ(product.m, 2U);
  EXPECT_EQ(product.n, 3U);
  EXPECT_EQ(product.k, 5U);
}

TEST(ParseTopology, ReadsABatchBesideTheColumnsOfALayer) {
  const auto layers = parseTopology(
      "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, "
      "Strides, Batch Size,\nA, 9, 8, 3, 2, 4, 8, 2, 16,\n",
      "t.csv");
  EXPECT_EQ(layers[0].batch, 16U);
  EXPECT_EQ(std::get<TopologyConvolution>(layers[0].shape).stride_width, 2U);
}

TEST(ParseTopology, RefusesAColumnThatItDoesNotKnow) {
  const std::string header =
      "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, "
      "Strides, ";
  for (const std::string name : {"Sparsity", "Groups", "Dilation"}) {
    EXPECT_THAT(errorIn(header + name + ",\nA, 9, 8, 3, 2, 4, 8, 2, 1,\n"),
                HasSubstr("found \"" + name + "\" in column 9"));
  }
  EXPECT_THAT(errorIn("Layer, M, N, K, Channels,\nA, 1, 2, 3, 4,\n"), HasSubstr("found "));
  EXPECT_THAT(errorIn("Layer, M, N, K, M,\nA, 1, 2, 3, 4,\n"), HasSubstr("found M twice"));
}

TEST(ParseTopology, WantsAsManyColumnsAsItsHeader) {
  EXPECT_EQ(errorIn(kProducts + "A, 1, 2\n"),
            "t.csv:2: wanted 4 columns, as in the header, found 3");
  EXPECT_THAT(errorIn("Layer, M, N,\nA, 1, 2\n"), HasSubstr("found no column K"));
  EXPECT_THAT(errorIn("A, 1, 2, 3\n"), HasSubstr("found numbers"));
  EXPECT_THAT(errorIn(""), HasSubstr("found an empty file"));
  EXPECT_THAT(errorIn(kProducts), HasSubstr("wanted a layer below the header"));
}

}  // namespace
}  // namespace ipusim::interop
