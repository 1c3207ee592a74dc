// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/lower/bound_fields.h"

#include <gtest/gtest.h>

namespace ipusim::compiler {

namespace {

EdgePattern pattern(std::uint32_t block, Bytes begin,
                    std::initializer_list<Level<Bytes>> levels = {}) {
  EdgePattern pattern{BlockId{block}, {begin}};
  pattern.walk.levels.assign(levels.begin(), levels.end());
  return pattern;
}

void expectEqual(const BoundFields::List& a, const BoundFields::List& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t f = 0; f < a.size(); ++f) {
    ASSERT_EQ(a[f].patterns.size(), b[f].patterns.size()) << f;
    for (std::size_t p = 0; p < a[f].patterns.size(); ++p) {
      EXPECT_EQ(a[f].patterns[p].block, b[f].patterns[p].block) << f << ", " << p;
      EXPECT_TRUE(a[f].patterns[p].walk == b[f].patterns[p].walk) << f << ", " << p;
    }
  }
}

}  // namespace

TEST(BoundFields, WithoutFieldsHaveNone) {
  EXPECT_TRUE(BoundFields().list().empty());
  EXPECT_TRUE(BoundFields(BoundFields::List()).list().empty());
}

TEST(BoundFields, KeepEveryPatternAndLevelInOrder) {
  BoundFields::List fields(3);
  fields[0].patterns.push_back(pattern(3, Bytes(4), {{2, Bytes(32)}, {3, Bytes(8)}}));
  fields[0].patterns.push_back(pattern(1, Bytes(0), {{5, Bytes(0)}}));
  // The second field has no pattern.
  fields[2].patterns.push_back(pattern(2, Bytes(12)));
  expectEqual(BoundFields(fields).list(), fields);
  expectEqual(BoundFields({fields[0], fields[1], fields[2]}).list(), fields);
}

TEST(BoundFields, KeepNumbersOfAnySize) {
  for (unsigned bit = 0; bit < 64; ++bit) {
    const std::uint64_t power = std::uint64_t{1} << bit;
    for (const std::uint64_t number : {power - 1, power, ~power}) {
      BoundFields::List fields(1);
      const auto block = static_cast<std::uint32_t>(number);
      fields[0].patterns.push_back(pattern(block, Bytes(number), {{number, Bytes(number)}}));
      expectEqual(BoundFields(fields).list(), fields);
    }
  }
}

}  // namespace ipusim::compiler
