// SPDX-License-Identifier: Apache-2.0
#include "sim/report/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/run/two_tile_run.h"

namespace ipusim::report {
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

TEST(CsvCell, IsNoFormulaOfASpreadsheet) {
  EXPECT_EQ(csvCell("=1+1"), "'=1+1");
  EXPECT_EQ(csvCell("@SUM(A1,A2)"), "\"'@SUM(A1,A2)\"");
  EXPECT_EQ(csvCell("-x"), "'-x");
  EXPECT_EQ(csvCell("+cmd|' /C calc'!A0"), "'+cmd|' /C calc'!A0");
  EXPECT_EQ(csvCell("\t=1"), "'\\t=1");
  for (const char* number : {"-1.5e-300", "+5", "-9007199254740993", "0", "-1e999"}) {
    EXPECT_EQ(csvCell(number), number);
  }
  EXPECT_EQ(csvCell("a=b"), "a=b");
  for (const char* text : {"=1+1", "-x", "-5", "'quoted'", "", "a"}) {
    EXPECT_EQ(textOfCell(csvCell(text)), text);
  }
}

TEST(CsvLine, KeepsEmptyCells) {
  EXPECT_EQ(csvLine({"", "a", ""}), ",a,\n");
}

TEST(StepsCsv, HasARowAStepUnderAHeaderWithUnits) {
  const std::string csv = stepsCsv(run::twoTileResult());
  EXPECT_THAT(csv, StartsWith("step,name,kind,iterations,cycles,max_tile,mean_cycles,vertices,"
                              "exchange_bytes,exchange_max_tile_bytes,exchange_messages,"
                              "host_bytes,live_bytes,start_cycles,end_cycles,measured,remote_bytes,"
                              "activity_half_macs,activity_float_macs,activity_other_flops,"));
  EXPECT_THAT(csv, HasSubstr("\n1,in,exchange,1,21,1,20.5,0,64,48,2,0,10,10,31,0,0,0,0,0,0,"));
  EXPECT_THAT(csv, HasSubstr("\n2,mul,compute,3,60,0,60,0,0,0,0,0,300,30,97,0,0,0,0,0,0,"));
  // The last two counts are the cycles of both tiles.
  EXPECT_THAT(csv, HasSubstr(",120,120,\n3,keep,"));
}

TEST(TilesCsv, HasBytesByCategoryAndCyclesByKind) {
  const std::string csv = tilesCsv(run::twoTileResult());
  EXPECT_THAT(
      csv,
      StartsWith("tile,variables_bytes,constants_bytes,message_buffers_bytes,vertex_code_bytes,"));
  EXPECT_THAT(
      csv, HasSubstr("over_bytes,compute_cycles,copy_cycles,exchange_cycles,host_cycles,"
                     "links_cycles,sync_cycles,idle_cycles,streaming_cycles,activity_half_macs,"));
  EXPECT_THAT(
      csv, HasSubstr("\n1,200,0,250,100,0,0,0,0,0,0,0,0,0,0,300,250,550,640,0,60,9,41,0,0,10,0,0,"
                     "0,0,0,0,0,0,0,0,0,0,1,0,0,0,110,120,\n"));
}

TEST(VariablesCsv, SaysWhenAVariableLivesAndWhatItTakes) {
  EXPECT_EQ(
      variablesCsv(run::twoTileResult()),
      "name,type,elements,shape,lifetime,first_step,last_step,total_bytes,max_tile_bytes,max_tile\n"
      "weights,float,125,125,always,,,500,300,0\n"
      "\"in, cast\",half,20,5x4,temporary,1,2,40,40,1\n");
}

TEST(LayersCsv, HasARowForEachLayerAndTheGpuBesideIt) {
  run::RunResult result = run::twoTileResult();
  result.layers = {
      {"a", "conv", 9, Flops(80), Cycles(7), Cycles(5), Cycles(3), Cycles(10), Cycles(5), {}, {}},
      {"b",
       "relu",
       0,
       Flops(8),
       Cycles(1),
       Cycles(0),
       Cycles(0),
       Cycles(1),
       Cycles(0),
       {},
       run::LayerOnGpu{0.5, 0.25}}};
  EXPECT_EQ(layersCsv(result),
            "name,kind,parameters,forward_flops,forward_cycles,backward_cycles,update_cycles,"
            "compute_cycles,movement_cycles,gpu_seconds,gpu_tf32_seconds\n"
            "a,conv,9,80,7,5,3,10,5,,\n"
            "b,relu,0,8,1,0,0,1,0,0.5,0.25\n");
}

TEST(LivenessCsv, HasTheFullestTileBesideAllTiles) {
  EXPECT_EQ(livenessCsv(run::twoTileResult()),
            "position,step,name,live_bytes,max_tile_live_bytes\n"
            "0,0,in/sync,0,0\n"
            "1,1,in,10,5\n"
            "2,2,mul,300,250\n"
            "3,3,keep,20,10\n"
            "4,4,out,0,0\n");
}

}  // namespace
}  // namespace ipusim::report
