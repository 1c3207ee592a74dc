// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/thrown.h"
#include "tests/trace/trace_run.h"

namespace ipusim {
namespace {

using testing::HasSubstr;

/// The error for one more line after those that all tests begin with.
std::string errorOfLine(const std::string& line) {
  return configErrorOf([&] { traceFrom(kBegin + line + "\n"); });
}

TEST(TraceErrors, NameBothVersions) {
  EXPECT_EQ(configErrorOf([] { traceFrom("{\"ipt\": 2}\n"); }),
            "t.ipt:1: ipt: wanted version 1, which this program reads, found 2");
}

TEST(TraceErrors, NameLineAndKey) {
  EXPECT_EQ(errorOfLine(R"({"variable": "z", "elements": "many", "tiles": 0})"),
            "t.ipt:7: elements: wanted a whole number in [0, 9007199254740992], found \"many\"");
  EXPECT_EQ(errorOfLine(R"({"variable": "z", "elements": 4, "tiles": "3-1"})"),
            "t.ipt:7: tiles: wanted tiles below 1048576, as \"0-1471\" or \"0-1470/2,3\", found "
            "\"3-1\"");
  EXPECT_THAT(errorOfLine(R"({"variable": "z", "elements": 4, "tiles": 0, "tpye": "half"})"),
              HasSubstr("t.ipt:7: tpye: wanted one of"));
  EXPECT_THAT(errorOfLine(R"({"variable": "z", "elements": 4, "tiles": 0, "tpye": "half"})"),
              HasSubstr("did you mean type?"));
  EXPECT_THAT(errorOfLine(R"({"copy": "c", "from": "w", "to": "x"})"),
              HasSubstr("t.ipt:7: from: wanted a variable of an earlier line"));
  EXPECT_THAT(errorOfLine(R"({"vertex": "w", "make": "binary_op", "params": {"op": "ad"}})"),
              HasSubstr("t.ipt:7: params.op: wanted one of"));
  EXPECT_THAT(errorOfLine(R"({"nothing": 1})"),
              HasSubstr("t.ipt:7: line: wanted variable, vertex"));
  EXPECT_THAT(errorOfLine(R"({"variable": )"), HasSubstr("t.ipt:7: wanted a line of JSON"));
  EXPECT_THAT(errorOfLine(R"({"compute_set": "b", "compute_set": "c"})"), HasSubstr("it twice"));
}

TEST(TraceErrors, FindWhatIsOutOfPlace) {
  EXPECT_THAT(errorOfLine(R"({"copy": "c", "from": ["x", 250, 8], "to": ["y", 0, 8]})"),
              HasSubstr("wanted a region in the 256 elements of variable x"));
  EXPECT_THAT(errorOfLine(R"({"copy": "c", "from": ["x", 0, 8], "to": ["y", 0, 9]})"),
              HasSubstr("two regions with equal counts"));
  EXPECT_THAT(errorOfLine(R"({"copy": "c", "moves": [[["x", 0, 8], ["y", 0, 8], 33, 8, 0]]})"),
              HasSubstr("wanted a region in the 256 elements of variable x"));
  EXPECT_THAT(
      errorOfLine(
          R"({"vertices": [{"type": "v", "data": [["x", 0, 64], {"at": ["y", 0, 64], "next_tile": -64}]}], "tiles": "0-1"})"),
      HasSubstr("wanted a region in the 256 elements of variable y"));
  EXPECT_THAT(
      errorOfLine(R"({"vertices": [{"type": "v", "data": [["x", 0, 63], "y"]}], "tiles": 0})"),
      HasSubstr("wanted 64 elements, found 63"));
  EXPECT_THAT(errorOfLine(R"({"program": [{"repeat": 0, "body": []}]})"),
              HasSubstr("repeat: wanted a whole number in [1,"));
  EXPECT_THAT(errorOfLine(R"({"program": ["b"]})"), HasSubstr("wanted the name of one"));
  EXPECT_THAT(errorOfLine(R"({"stream": "s", "direction": "to_chip", "variables": ["y"]})"),
              HasSubstr("wanted a variable with \"lifetime\": \"always\""));
}

TEST(TraceErrors, NameANumberThatAnIntegerTypeHasNot) {
  const auto errorOf = [](const std::string& type, const std::string& numbers) {
    return errorOfLine(R"({"variable": "k", "type": ")" + type +
                       R"(", "elements": 3, "tiles": 0, )" + numbers + "}");
  };
  EXPECT_EQ(errorOf("unsigned short", R"("values": [1, 70000, 2])"),
            "t.ipt:7: values: wanted a whole number in [0, 65535], as the type unsigned short has, "
            "found 70000");
  EXPECT_THAT(errorOf("int", R"("value": 1.5)"),
              HasSubstr("value: wanted a whole number in [-2147483648, 2147483647]"));
  EXPECT_THAT(errorOf("unsigned int", R"("value": 9007199254740992)"),
              HasSubstr("wanted a whole number in [0, 4294967295]"));
  EXPECT_THAT(errorOf("unsigned int", R"("value": -1)"), HasSubstr("a whole number in [0, "));
  EXPECT_THAT(errorOf("unsigned short", R"("linear": [65534, 1])"), HasSubstr("linear: wanted"));
  EXPECT_THAT(errorOf("int", R"("linear": [0, 0.5])"), HasSubstr("linear: wanted"));
  traceFrom(kBegin +
            R"({"variable": "k", "type": "unsigned short", "elements": 3, "tiles": 0, )"
            R"("linear": [65533, 1]})" +
            "\n");
  traceFrom(kBegin +
            R"({"variable": "k", "type": "bool", "elements": 3, "tiles": 0, "value": 1.5})" + "\n");
}

TEST(TraceErrors, NameTheFirstLineOfAnEmptyFile) {
  for (const char* text : {"", "\n\n", "  \n"}) {
    EXPECT_EQ(configErrorOf([&] { traceFrom(text); }),
              "t.ipt:1: ipt: wanted the version in the first line, found an empty file");
  }
}

TEST(TraceErrors, NameTheKeyOfALibraryType) {
  EXPECT_THAT(errorOfLine(R"({"vertex": "w", "make": "coppy"})"),
              HasSubstr("t.ipt:7: make: wanted one of amp, "));
  EXPECT_THAT(errorOfLine(R"({"vertex": "w", "make": "coppy"})"),
              HasSubstr("(did you mean copy?), found \"coppy\""));
  EXPECT_THAT(
      errorOfLine(
          R"({"vertex": "w", "make": "unary_op", "params": {"op": "relu", "type": "float", "elements": 64, "in_place": false}})"),
      HasSubstr("t.ipt:7: params.in_place: wanted one of no, yes, found false"));
  EXPECT_THAT(errorOfLine(R"({"vertex": "w", "make": "unary_op", "params": {"op": {}}})"),
              HasSubstr("t.ipt:7: op: wanted a word, a number, true, false or an array of whole "
                        "numbers, found an object"));
}

TEST(TraceErrors, FindTwoWriters) {
  const std::string again =
      R"({"vertices": [{"type": "v", "data": [["x", 0, 64], ["y", 32, 64]]}], "tiles": 0})";
  EXPECT_THAT(errorOfLine(again),
              HasSubstr("t.ipt:5: compute set a: wanted one writer for element 32 of variable y, "
                        "found vertex v on tile 0 and vertex v on tile 0"));
}

TEST(TraceErrors, FindElementsWithoutATile) {
  EXPECT_THAT(errorOfLine(R"({"variable": "z", "elements": 4, "map": [["0", 3]]})"),
              HasSubstr("tiles for 4 elements"));
  EXPECT_THAT(errorOfLine(R"({"variable": "z", "elements": 4, "map": [["0-4", 1]]})"),
              HasSubstr("at most the 4 elements"));
}

TEST(TraceErrors, SayHowManyTilesItTakes) {
  const TemporaryFolder folder;
  const auto file = folder.write(
      "t.ipt", "{\"ipt\": 1}\n{\"variable\": \"x\", \"elements\": 8, \"tiles\": \"7\"}\n");
  EXPECT_THAT(
      configErrorOf([&] { run::prepare(configOf(file, "toy")); }),
      HasSubstr("wanted a trace for at most the 4 tiles of the machine (it names 8 tiles)"));
}

TEST(TraceErrors, FindATraceThatIsNotThere) {
  EXPECT_THAT(configErrorOf([&] { run::prepare(configOf("none.ipt", "toy")); }),
              HasSubstr("none.ipt"));
}

}  // namespace
}  // namespace ipusim
