// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <regex>
#include <set>

#include "tests/trace/json_schema.h"
#include "tests/trace/trace_run.h"
#include "workloads/vertices/table.h"

// The JSON Schema and the reader say the same of a line, right or wrong, but for what no schema of
// a line can say.

namespace ipusim {
namespace {

using nlohmann::ordered_json;

const JsonSchema& verdictSchema() {
  static const JsonSchema kSchema(
      nlohmann::json::parse(std::ifstream("docs/reference/trace.schema.json")));
  return kSchema;
}

bool schemaAllows(const std::string& line) {
  return verdictSchema().allows(nlohmann::json::parse(line));
}

/// A right trace with every key of the format but those of the execution record.
const std::vector<std::string>& verdictLines() {
  static const std::vector<std::string> kLines = {
      R"({"ipt": 1, "written_by": "me", "machine": "toy", "workload": "w", "timing": "program", "flops": 1, "nonzero_flops": 1, "peak_flops_per_cycle": 1.5})",
      R"({"variable": "x", "elements": 256, "lifetime": "always", "tiles": "0-3", "grain": 64})",
      R"({"variable": "y", "type": "float", "elements": 256, "map": [["0-2", 64], [3, 64]]})",
      R"({"variable": "n", "type": "int", "elements": 4, "below": 3, "tiles": 0})",
      R"({"variable": "c", "elements": 4, "value": 1.5, "tiles": "0-2/2,3"})",
      R"({"variable": "d", "elements": 4, "values": [1, 2, 4, 8.5], "tiles": 0})",
      R"({"variable": "e", "elements": 4, "linear": [0, 2], "tiles": 0})",
      R"({"vertex": "u", "make": "unary_op", "params": {"op": "relu", "type": "float", "elements": 64, "in_place": "no"}})",
      R"({"vertex": "v", "name": "mine", "origin": "user", "kind": "worker", "cycles": 100, "state_bytes": 8, "table_bytes": 4, "code_bytes": 64, "flops": 64, "load_bytes": 256, "store_bytes": 256, "half_macs": 8, "float_macs": 24, "fields": [{"name": "in", "direction": "in", "type": "float", "elements": 64, "memory": "any"}, {"name": "out", "direction": "out", "edges": [[2, 32]], "apart_from": 0}]})",
      R"({"compute_set": "a"})",
      R"({"vertices": [{"type": "v", "count": 1, "takes_turns": false, "apart": true, "cycles": [["0-1", 5], [2, 6]], "data": ["x", {"at": ["y", 0, 64, 1], "step": 0, "next_tile": 64}]}], "tiles": "0-2"})",
      R"({"vertices": [{"type": "u", "cycles": 7, "data": ["x", [["y", 192, 32], ["y", 224, 32]]]}], "tiles": 3})",
      R"({"copy": "c", "from": ["x", 0, 2], "to": ["y", 192, 2], "moves": [[["x", 0], ["y", 200]]]})",
      R"({"moves": [[["x", 0], ["y", 201], 3, 1, 2]]})",
      R"({"stream": "s", "direction": "to_chip", "path": "link", "bytes": 1024, "variables": ["x"]})",
      R"({"variable": "r", "type": "unsigned int", "elements": 1, "tiles": 0})",
      R"({"remote_buffer": "b", "type": "float", "elements": 4, "rows": 3})",
      R"({"remote_copy": "l", "direction": "load", "buffer": "b", "row": 2, "tensor": "c"})",
      R"({"remote_copy": "w", "direction": "store", "buffer": "b", "row": ["r", 0], "tensor": [["x", 0, 2], ["y", 0, 2]]})",
      R"({"io_tiles": "0-3"})",
      R"({"function": "f", "program": ["a"]})",
      R"({"program": ["s", {"execute": "a"}, {"copy": 0}, {"stream": 0}, {"remote": 0}, {"overlap": 1, "body": []}, {"call": 0}, {"write_undef": ["x", 0]}, {"repeat": 2, "body": []}, {"if": ["n", 0], "then": [], "else": []}, {"switch": ["n", 0], "cases": [{"value": 1, "body": []}], "else": []}, {"while": ["n", 0], "condition": [], "body": []}]})",
  };
  return kLines;
}

/// What the reader says of line number `index`, from 0, after all lines before it: the error that
/// names the line, or nothing.
std::string errorOfLine(std::size_t index, const std::string& line) {
  std::string text;
  for (std::size_t l = 0; l < index; ++l) text += verdictLines()[l] + '\n';
  try {
    traceFrom(text + line + '\n');
  } catch (const ConfigError& error) {
    std::string what = error.what();
    if (what.rfind("t.ipt:" + std::to_string(index + 1) + ": ", 0) == 0) return what;
  }
  return {};
}

/// Faults that no schema of a line can see.
constexpr std::array kBeyondASchema = {
    // What other lines hold.
    "of an earlier line",
    "the name of one compute set, copy, stream, remote copy or function",
    "a whole number in \\[0, [0-9]\\]",  // the number of an earlier line, or of a field
    "data for each of 2 fields",
    "a region in the [0-9]+ elements",
    "field (in|out): wanted 64 elements",
    "one element: ",
    "remote copy .*: wanted (one whole number for its row|4 float elements|a row of b below 3)",
    "a variable with \"lifetime\": \"always\"",
    // How the numbers of a line go together.
    "a value for each of [0-9]+ elements",
    "at most the [0-9]+ elements of the variable",
    "tiles for [0-9]+ elements",
    "two regions with equal counts",
    "(half|float)_macs: wanted a whole number in \\[0, [0-9]+\\]",  // two operations each
    "tiles below 1048576",
    // The parameters of a library type.
    "one of (absolute|half|no|elements), ",
    "a whole number in \\[(1, 16777216|-9223372036854775807, 9223372036854775807)\\]",
};

bool isBeyondASchema(const std::string& error) {
  static const std::vector<std::regex> kFaults(kBeyondASchema.begin(), kBeyondASchema.end());
  return std::any_of(kFaults.begin(), kFaults.end(),
                     [&](const std::regex& fault) { return std::regex_search(error, fault); });
}

/// Calls `visit` with every place inside `value`, and with `value`. It may change the place, and
/// leaves it as it was.
void visitPlaces(ordered_json& value, const std::function<void(ordered_json&)>& visit) {
  visit(value);
  if (!value.is_structured()) return;
  for (ordered_json& item : value) visitPlaces(item, visit);
}

/// What stands in place of a value.
const std::vector<ordered_json>& others() {
  static const std::vector<ordered_json> kOthers = {
      nullptr,
      true,
      0,
      1,
      -1,
      1.5,
      std::uint64_t{1} << 53U,
      (std::uint64_t{1} << 53U) + 1,
      -(std::int64_t{1} << 53U) - 1,
      ~std::uint64_t{0},
      "",
      "?",
      "x",
      "3-1",
      "0-4/3",
      "1-",
      ordered_json::array(),
      ordered_json::array({nullptr}),
      ordered_json::array({"x", 0}),
      ordered_json::array({"x", 0, 0}),
      ordered_json::array({"x", 0, 1, 1, 1}),
      ordered_json::array({"0-1", "0-1"}),
      ordered_json::array({1, 0}),
      ordered_json::object(),
  };
  return kOthers;
}

using Try = std::function<void()>;

/// Puts each of the others in the place, and then back what was there.
void tryOthers(ordered_json& place, const Try& try_it) {
  const ordered_json kept = place;
  for (const ordered_json& other : others()) {
    place = other;
    try_it();
  }
  place = kept;
}

/// Leaves out each key of an object, and adds keys of other lines.
void tryKeys(ordered_json& object, const Try& try_it) {
  static const std::vector<std::pair<std::string, ordered_json>> kMore = {
      {"colour", 1},
      {"lifetime", "always"},
      {"value", 1},
      {"values", {1}},
      {"linear", {0, 1}},
      {"map", {{"0-3", 64}}},
      {"tiles", "0-3"},
      {"grain", 1},
      {"elements", 64},
      {"edges", {{2, 32}}},
      {"make", "zero"},
      {"execute", "a"},
      {"else", ordered_json::array()},
      {"to", "y"},
  };
  const ordered_json kept = object;
  for (const auto& item : kept.items()) {
    object.erase(item.key());
    try_it();
    object = kept;
  }
  for (const auto& [key, value] : kMore) {
    if (kept.contains(key)) continue;
    object[key] = value;
    try_it();
    object = kept;
  }
}

/// Leaves out each item of an array, and adds it once more.
void tryItems(ordered_json& array, const Try& try_it) {
  const ordered_json kept = array;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    array.erase(i);
    try_it();
    array = kept;
    array.push_back(kept[i]);
    try_it();
    array = kept;
  }
}

/// Calls `visit` with every mutant of a line.
void visitMutants(std::size_t index, const std::function<void(const std::string&)>& visit) {
  ordered_json line = ordered_json::parse(verdictLines()[index]);
  const Try try_it = [&] { visit(line.dump()); };
  visitPlaces(line, [&](ordered_json& place) {
    tryOthers(place, try_it);
    if (place.is_object()) tryKeys(place, try_it);
    if (place.is_array()) tryItems(place, try_it);
  });
}

TEST(SchemaVerdicts, AllowARightTrace) {
  for (std::size_t l = 0; l < verdictLines().size(); ++l) {
    EXPECT_TRUE(schemaAllows(verdictLines()[l])) << verdictLines()[l];
    EXPECT_EQ(errorOfLine(l, verdictLines()[l]), "");
  }
}

class SchemaVerdict : public testing::TestWithParam<std::size_t> {};

TEST_P(SchemaVerdict, OfEveryMutantIsThatOfTheReader) {
  std::set<std::string> seen = {verdictLines()[GetParam()]};
  std::size_t refused = 0;
  visitMutants(GetParam(), [&](const std::string& mutant) {
    if (!seen.insert(mutant).second) return;
    const std::string error = errorOfLine(GetParam(), mutant);
    const bool allowed = schemaAllows(mutant);
    if (!allowed) ++refused;
    if (allowed && isBeyondASchema(error)) return;
    EXPECT_EQ(allowed, error.empty()) << mutant << '\n' << error;
  });
  EXPECT_GT(refused, seen.size() / 10);
}

INSTANTIATE_TEST_SUITE_P(Lines, SchemaVerdict,
                         testing::Range(std::size_t{0}, verdictLines().size()));

struct Verdict {
  const char* tiles;
  bool is_right;
};

/// What a text of tiles may be. Only numbers that do not go together are beyond a schema.
TEST(SchemaVerdicts, OnTilesAreThoseOfTheReader) {
  for (const Verdict& one :
       {Verdict{"0", true},     Verdict{"0-3", true},    Verdict{"0-3,2", true},
        Verdict{"1,0", true},   Verdict{"0-2/2", true},  Verdict{"0-2/02,3", true},
        Verdict{"00", true},    Verdict{"", false},      Verdict{"-1", false},
        Verdict{"+1", false},   Verdict{" 1", false},    Verdict{"1 ", false},
        Verdict{"1-", false},   Verdict{"1,", false},    Verdict{",1", false},
        Verdict{"1,,2", false}, Verdict{"0-2/0", false}, Verdict{"0-2/", false},
        Verdict{"0/2", false},  Verdict{"0-1-2", false}, Verdict{"a", false},
        Verdict{"0x1", false},  Verdict{"1.5", false}}) {
    const ordered_json line = {{"variable", "v"}, {"elements", 256}, {"tiles", one.tiles}};
    EXPECT_EQ(errorOfLine(1, line.dump()).empty(), one.is_right) << line;
    EXPECT_EQ(schemaAllows(line.dump()), one.is_right) << line;
  }
}

TEST(SchemaVerdicts, KnowTheTypesOfTheTable) {
  const auto schema = nlohmann::json::parse(std::ifstream("docs/reference/trace.schema.json"));
  const auto& makers =
      schema.at(nlohmann::json::json_pointer("/definitions/library_vertex/properties/make/enum"));
  std::vector<std::string> names;
  for (const workloads::VertexEntry& entry : workloads::vertexTable())
    names.emplace_back(entry.name);
  EXPECT_EQ(makers.get<std::vector<std::string>>(), names);
}

}  // namespace
}  // namespace ipusim
