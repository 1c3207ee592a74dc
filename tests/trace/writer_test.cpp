// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/trace/trace_run.h"
#include "workloads/sources/trace/trace_writer.h"

namespace ipusim {
namespace {

using testing::HasSubstr;

std::string rewritten(const std::string& text) {
  return workloads::traceText(traceFrom(text), readPreset("toy"));
}

TEST(TraceWriter, WritesTheBytesThatItRead) {
  const std::string all =
      kBegin + R"({"variable": "h", "type": "half", "elements": 8, "value": 0.5, "tiles": "3"})" +
      '\n' +
      R"({"variable": "i", "type": "unsigned int", "elements": 4, "values": [3, 1, 4, 1], "tiles": 0})" +
      '\n' + R"({"variable": "l", "elements": 4, "linear": [1, 0.5], "map": [["0-3/3", 2]]})" +
      '\n' +
      R"({"vertex": "w", "make": "unary_op", "params": {"op": "relu", "type": "float", "elements": 64, "in_place": "no"}})" +
      '\n' + R"({"copy": "c", "moves": [[["x", 0], ["y", 0], 3, 1, 2]]})" + '\n' +
      R"({"stream": "s", "direction": "to_chip", "path": "framework", "variables": ["x"]})" + '\n' +
      R"({"function": "f", "program": ["a"]})" + '\n' +
      R"({"program": ["s", {"write_undef": ["y", 2]}, {"repeat": 2, "body": ["f", "c"]}, {"if": ["x", 0], "then": ["a"]}, {"while": ["x", 0], "condition": ["a"], "body": []}]})" +
      '\n' + R"({"record": {"branches": [[0, [1, 3]]], "trips": [[7]]}})" + '\n';
  const std::string once = rewritten(all);
  EXPECT_EQ(rewritten(once), once);
  EXPECT_THAT(once, HasSubstr(R"("value":0.5)"));
  EXPECT_THAT(once, HasSubstr(R"("values":[3,1,4,1])"));
  EXPECT_THAT(once, HasSubstr(R"({"write_undef":[1,2]})"));
  EXPECT_THAT(once, HasSubstr(R"("linear":[1,0.5])"));
  EXPECT_THAT(once, HasSubstr(R"({"moves":[[[0,0],[1,0],3,1,2]]})"));
  EXPECT_THAT(once, HasSubstr(R"({"record":{"branches":[[0,[1,3]]],"trips":[[7]]}})"));
}

// Four equal vertices, one on each tile, with their data 64 elements further on each time.
TEST(TraceWriter, WritesEqualVerticesOfManyTilesOnce) {
  EXPECT_THAT(rewritten(kBegin),
              HasSubstr(R"({"vertices":[{"type":"t0","data":[{"at":[0,0,64],"next_tile":64},)"
                        R"({"at":[1,0,64],"next_tile":64}]}],"tiles":"0-3"})"));
}

TEST(TraceWriter, WritesALinearMappingByItsTiles) {
  EXPECT_THAT(rewritten(kBegin), HasSubstr(R"("elements":256,"tiles":"0-3"})"));
}

}  // namespace
}  // namespace ipusim
