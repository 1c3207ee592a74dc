// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/registry.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/thrown.h"
#include "tests/support/toy_machine.h"

namespace ipusim::workloads {
namespace {

std::shared_ptr<const Codelet> make(const std::string& name, const std::string& config) {
  const auto kind = std::find_if(codeletKinds().begin(), codeletKinds().end(),
                                 [&](const CodeletKind& any) { return any.name == name; });
  const ConfigReader reader = ConfigReader::fromText(config, "test");
  auto codelet = kind->make(reader, models::gc200());
  reader.expectAllRead();
  return codelet;
}

TEST(CodeletKinds, AreSortedByName) {
  EXPECT_TRUE(
      std::is_sorted(codeletKinds().begin(), codeletKinds().end(),
                     [](const CodeletKind& a, const CodeletKind& b) { return a.name < b.name; }));
}

TEST(CodeletKinds, MakeTheVertexThatTheConfigDescribes) {
  EXPECT_EQ(make("hmac", "type=\"half\"\npartials_type=\"half\"\nfield=4\nin_chans=8")->name(),
            "poplin::ConvPartialHorizontalMac<half,half>");
  EXPECT_EQ(make("outer_product", "type=\"float\"\nwidth=3\nchans=2\ngroups=4")->flops(),
            Flops(3 * 2 * 4));
  EXPECT_EQ(make("sparse_matmul",
                 "type=\"half\"\npartials_type=\"float\"\nblock=8\nrows=3\nin_rows=5\ncolumns=6\n"
                 "row_blocks=2")
                ->flops(),
            Flops(2 * (3 * 2) * (8 * 8) * 6));
  EXPECT_EQ(make("cast", "type=\"half\"\nto=\"unsigned int\"\nelements=9")->name(),
            "popops::Cast1D<half,unsigned int>");
  EXPECT_EQ(
      make("binary_op", "op=\"divide\"\ntype=\"half\"\nin_place=\"yes\"\nelements=9\nregions=2")
          ->name(),
      "popops::BinaryOp2DInPlace<DIVIDE,half>");
  EXPECT_EQ(make("dynamic_slice", "direction=\"update\"\ntype=\"int\"\nelements=5\nslices=3")
                ->fields()[1]
                .elements(),
            15U);
}

TEST(CodeletKinds, MakeVerticesThatLookUpAndReduce) {
  EXPECT_EQ(make("multi_slice", "type=\"half\"\nelements=4\nrows=9\noffsets=3")->name(),
            "popops::MultiSlice<half>");
  EXPECT_EQ(
      make("multi_slice", "direction=\"update\"\ntype=\"float\"\nelements=4\nrows=9\noffsets=3")
          ->flops(),
      Flops(24));
  EXPECT_EQ(make("one_hot", "type=\"float\"\nrows=2\nclasses=5")->fields()[1].elements(), 10U);
  const std::string types = "type=\"float\"\npartials_type=\"half\"\nelements=4\npartials=9\n";
  EXPECT_EQ(make("reduce", types)->name(), "popops::StridedReduce<popops::ReduceAdd,half,float>");
  EXPECT_EQ(make("reduce", types + "along=\"rows\"\nop=\"max\"")->name(),
            "popops::ContinuousReduce<popops::ReduceMax,half,float>");
  EXPECT_EQ(make("relu_grad", "type=\"half\"\nelements=9")->name(),
            "popnn::NonLinearityGrad1D<half,RELU>");
}

TEST(CodeletKinds, WantWholeVectorsOfHalves) {
  EXPECT_EQ(configErrorOf(
                [] { make("hmac", "type=\"half\"\npartials_type=\"half\"\nfield=4\nin_chans=3"); }),
            "test:4: in_chans: wanted an even number with half inputs, found 3");
}

}  // namespace
}  // namespace ipusim::workloads
