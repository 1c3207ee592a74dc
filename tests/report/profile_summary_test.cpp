// SPDX-License-Identifier: Apache-2.0
#include "sim/interop/profiles/profile_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/thrown.h"

namespace ipusim::report {
namespace {

using Json = nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;

/// In the layout of the vendor's text, with figures that are easy to check.
constexpr const char* kText = R"(Target:
  Number of IPUs:         1
  Total Tiles:            1,472
  Memory Per-Tile:        624.0 kB
  Total Memory:           897.0 MB
  Clock Speed (approx):   1,850.0 MHz

Graph:
  Number of vertices:            5,466
  Number of edges:              16,256
  Number of variables:          41,059
  Number of compute sets:           20

Memory Usage:
  Total:
    Including Gaps:         23,878,396 B
    Excluding Gaps:
      By Memory Region:
        Non-interleaved:     5,000,000 B
        Interleaved:           900,000 B
        Overflowed:                  0 B
      By Data Type:
        Variables:           4,000,000 B
        Stack:                 999,000 B
        Vertex Instances:      500,360 B
        VectorList Descriptors:     40 B
        Vertex Field Data:         600 B
        Control Table:         100,000 B
        Control Code:          200,000 B
        Instrumentation Results:  100,000 B
        Vertex Data (14,640B):
          By Category:
            Internal vertex state:  14,000 B
          By Type:
            popops::Zero<float>:       640 B
  By Tile (Excluding Gaps):
    Range (KB) Histogram (Excluding Gaps)               Count (tiles)
         4 - 5 ****************************************  1,215
    Maximum (Including Gaps): 49,184 (48.0 K) on tile 0
    Maximum (Excluding Gaps): 5,780 (5.6 K) on tile 17
    0 tile(s) out of memory

Execution:

  Total cycles:                                         25,444,984 (approx 13,754.0 microseconds)
  Tile average compute cycles (including idle threads): 28,300.3 (0.1% of total)
  Tile average IPU exchange cycles:                     8,743.1 (0.0% of total)
  Tile average global exchange cycles:                  0.0 (0.0% of total)
  Tile average host exchange cycles:                    2,641,488.4 (10.4% of total)
  Tile average sync cycles:                             135,849.6 (0.5% of total)

  Cycles by vertex type:
    popops::Zero2d<float>              (14592 instances):   17,612,544
)";

Json resultOfText(const std::string& text) {
  return interop::resultOf(interop::readProfileSummary(text, "summary.txt"));
}

TEST(ProfileSummary, FillsMachineAndGraph) {
  const Json result = resultOfText(kText);
  EXPECT_EQ(result["machine"], Json::parse(R"({"tiles": 1472, "sram_per_tile_bytes": 638976,
      "total_sram_bytes": 940572672, "clock_hz": 1.85e9})"));
  EXPECT_EQ(result["graph"], Json::parse(R"({"vertices": 5466, "edges": 16256,
      "variables": 41059, "compute_sets": 20})"));
}

TEST(ProfileSummary, FillsMemory) {
  const Json result = resultOfText(kText);
  EXPECT_EQ(result["memory"], Json::parse(R"({"total_including_gaps_bytes": 23878396,
      "total_bytes": 5900000, "max_tile_bytes": 5780, "max_tile": 17,
      "capacity_tile_bytes": 638976,
      "by_category": {"variables": 4000000, "stack": 999000, "vertex_state": 500360,
                      "vertex_field_data": 640, "control_code": 300000}})"));
  EXPECT_EQ(result["fits"], true);
}

TEST(ProfileSummary, FillsTime) {
  const Json time = resultOfText(kText)["time"];
  EXPECT_EQ(time["cycles"], 25'444'984);
  EXPECT_DOUBLE_EQ(time["seconds"].get<double>(), 25'444'984 / 1.85e9);
  EXPECT_EQ(time["compute_cycles"], 28'300);
  EXPECT_EQ(time["exchange_cycles"], 8'743);
  EXPECT_EQ(time["host_cycles"], 2'641'488);
  EXPECT_EQ(time["sync_cycles"], 135'849);
}

TEST(ProfileSummary, NamesWhatAResultCannotHold) {
  EXPECT_THAT(resultOfText(kText)["not_held"].get<std::vector<std::string>>(),
              ElementsAre("Number of IPUs", "Instrumentation Results", "Vertex Data (14,640B)",
                          "By Category", "By Type", "Maximum (Including Gaps)",
                          "Tile average global exchange cycles", "Cycles by vertex type"));
}

TEST(ProfileSummary, FaultsNameTheLine) {
  const auto fault = [](const std::string& text) {
    return configErrorOf([&] { interop::readProfileSummary(text, "summary.txt"); });
  };
  EXPECT_EQ(fault("Target:\n  Total Tiles:  many\n"),
            "summary.txt:2: Total Tiles: wanted a number, found \"many\"");
  EXPECT_EQ(fault("Target:\n  Total Tiles:  99999999999999999999\n"),
            "summary.txt:2: Total Tiles: wanted a number, found \"99999999999999999999\"");
  EXPECT_THAT(fault("Maximum (Excluding Gaps): 5,780 (5.6 K)\n"), HasSubstr("\"on tile\""));
  EXPECT_THAT(fault("a poem\n"), HasSubstr("summary.txt:1: wanted a profile in JSON or the text"));
}

}  // namespace
}  // namespace ipusim::report
