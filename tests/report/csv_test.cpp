// SPDX-License-Identifier: Apache-2.0
#include "sim/report/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/run/two_tile_run.h"

namespace ipusim::run {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(CsvCell, QuotesWhatWouldEndTheCell) {
  EXPECT_EQ(csvCell("plain text"), "plain text");
  EXPECT_EQ(csvCell("a,b"), "\"a,b\"");
  EXPECT_EQ(csvCell("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(csvCell("two\nlines"), "\"two\nlines\"");
}

TEST(CsvCell, ShowsWhatSteersATerminal) {
  using namespace std::string_literals;
  EXPECT_EQ(csvCell("a\x1b[2Jb\0c\r\td\x7f"s), "a\\x1b[2Jb\\x00c\\r\\td\\x7f");
  EXPECT_EQ(csvCell("\u009b31m"), "\\xc2\\x9b31m");
  EXPECT_EQ(csvCell("1\x1b,\n\"2\""), "\"1\\x1b,\n\"\"2\"\"\"");
}

TEST(CsvLine, KeepsEmptyCells) {
  EXPECT_EQ(csvLine({"", "a", ""}), ",a,\n");
}

TEST(StepsCsv, HasARowAStepUnderAHeaderWithUnits) {
  const std::string csv = stepsCsv(twoTileResult());
  EXPECT_THAT(csv, StartsWith("step,name,kind,iterations,cycles,max_tile,mean_cycles,vertices,"
                              "exchange_bytes,exchange_max_tile_bytes,exchange_messages,"
                              "host_bytes,live_bytes\n"));
  EXPECT_THAT(csv, HasSubstr("\n1,in,exchange,1,21,1,20.5,0,64,48,2,0,10\n"));
  EXPECT_THAT(csv, HasSubstr("\n2,mul,compute,3,60,0,60,0,0,0,0,0,300\n"));
}

TEST(TilesCsv, HasBytesByCategoryAndCyclesByKind) {
  const std::string csv = tilesCsv(twoTileResult());
  EXPECT_THAT(
      csv,
      StartsWith("tile,variables_bytes,constants_bytes,message_buffers_bytes,vertex_code_bytes,"));
  EXPECT_THAT(csv, HasSubstr("over_bytes,compute_cycles,copy_cycles,exchange_cycles,host_cycles,"
                             "sync_cycles,idle_cycles\n"));
  EXPECT_THAT(csv,
              HasSubstr("\n1,200,0,250,100,0,0,0,0,0,0,0,0,300,250,550,640,0,60,9,41,0,10,0\n"));
}

}  // namespace
}  // namespace ipusim::run
