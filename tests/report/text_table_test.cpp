// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/text_table.h"

#include <gtest/gtest.h>

#include "ipusim/error.h"

namespace ipusim::report {
namespace {

TEST(TextTable, AlignsCellsInColumnsOfAWidth) {
  TextTable table({{6, Align::Left}, {5}, {0, Align::Left}});
  table.add({"name", "bytes", "  note"});
  table.add({"x", "12"});
  EXPECT_EQ(table.text(), "  name  bytes  note\n  x        12\n");
}

TEST(TextTable, MakesAColumnAsWideAsItsLongestCell) {
  TextTable table({{0, Align::Left}, {0}}, {0, 2});
  table.add({"a", "1"});
  table.add({"longer", "100"});
  EXPECT_EQ(table.text(), "a         1\nlonger  100\n");
}

TEST(TextTable, MovesCellsBehindOneThatIsTooLong) {
  TextTable table({{3, Align::Left}, {2}});
  table.add({"abcdef", "7"});
  EXPECT_EQ(table.text(), "  abcdef 7\n");
}

TEST(TextTable, EndsNoLineWithSpaces) {
  TextTable table({{4, Align::Left}, {4, Align::Left}});
  table.add({"a", ""});
  table.add({"", ""});
  EXPECT_EQ(table.text(), "  a\n\n");
}

TEST(TextTable, RefusesMoreCellsThanColumns) {
  TextTable table({{4, Align::Left}, {4}});
  EXPECT_THROW(table.add({"a", "b", "c"}), InternalError);
}

}  // namespace
}  // namespace ipusim::report
