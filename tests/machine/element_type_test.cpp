// SPDX-License-Identifier: Apache-2.0
#include "ipusim/element_type.h"

#include <gtest/gtest.h>

namespace ipusim::models {
namespace {

TEST(ElementType, HasTheSizeAndNameOfThePublicDocuments) {
  EXPECT_EQ(sizeOf(ElementType::Half), Bytes(2));
  EXPECT_EQ(sizeOf(ElementType::Float), Bytes(4));
  EXPECT_EQ(sizeOf(ElementType::Int32), Bytes(4));
  EXPECT_EQ(sizeOf(ElementType::UInt32), Bytes(4));
  EXPECT_EQ(sizeOf(ElementType::UInt16), Bytes(2));
  EXPECT_EQ(sizeOf(ElementType::Bool), Bytes(1));
  EXPECT_STREQ(nameOf(ElementType::Half), "half");
  EXPECT_STREQ(nameOf(ElementType::Float), "float");
  EXPECT_STREQ(nameOf(ElementType::Int32), "int");
  EXPECT_STREQ(nameOf(ElementType::UInt32), "unsigned int");
  EXPECT_STREQ(nameOf(ElementType::UInt16), "unsigned short");
  EXPECT_STREQ(nameOf(ElementType::Bool), "bool");
  EXPECT_STREQ(nameOf(ElementType::Quarter), "quarter");
}

}  // namespace
}  // namespace ipusim::models
