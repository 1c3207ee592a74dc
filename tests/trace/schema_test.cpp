// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/trace/json_schema.h"
#include "tests/trace/trace_run.h"

namespace ipusim {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

const JsonSchema& schema() {
  static const JsonSchema kSchema(json::parse(std::ifstream("docs/reference/trace.schema.json")));
  return kSchema;
}

/// Lines that have every key of the format.
const std::vector<std::string>& lines() {
  static const std::vector<std::string> kLines = {
      R"({"ipt": 1, "written_by": "me", "machine": "toy", "workload": "w", "timing": "program", "flops": 1, "nonzero_flops": 1, "peak_flops_per_cycle": 1.5})",
      R"({"variable": "x", "elements": 256, "lifetime": "always", "tiles": "0-3", "grain": 64})",
      R"({"variable": "y", "type": "float", "elements": 256, "map": [["0-3", 64]]})",
      R"({"variable": "n", "type": "int", "elements": 4, "lifetime": "always", "below": 3, "tiles": 0})",
      R"({"variable": "c", "elements": 4, "value": 1.5, "tiles": 0})",
      R"({"variable": "d", "elements": 4, "values": [1, 2, 4, 8.5], "tiles": 0})",
      R"({"variable": "e", "elements": 4, "linear": [0, 2], "tiles": 0})",
      R"({"vertex": "u", "make": "unary_op", "params": {"op": "relu", "type": "float", "elements": 64, "in_place": "no"}})",
      R"({"vertex": "v", "name": "mine", "origin": "user", "kind": "worker", "cycles": 100, "state_bytes": 8, "table_bytes": 4, "code_bytes": 64, "flops": 64, "load_bytes": 256, "store_bytes": 256, "half_macs": 8, "float_macs": 24, "fields": [{"name": "in", "direction": "in", "type": "float", "elements": 64, "memory": "any"}, {"name": "out", "direction": "out", "edges": [[2, 32]], "apart_from": 0}]})",
      R"({"compute_set": "a"})",
      R"({"vertices": [{"type": "v", "count": 1, "takes_turns": false, "cycles": [["0-1", 5], [2, 6]], "data": ["x", {"at": ["y", 0, 64], "step": 0, "next_tile": 64}]}], "tiles": "0-2"})",
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
      R"({"record": {"branches": [[0, [1, 2]], [0]], "trips": [[3]], "cycles": [{"step": "a", "cycles": 5}, {"step": 2, "cycles": [["0-1", 7], [2, 8]]}]}})",
  };
  return kLines;
}

std::string textOf(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& line : all) text += line + '\n';
  return text;
}

/// The error for the lines with another one in place of line `index`; empty where there is none.
std::string errorWith(std::size_t index, const std::string& line) {
  std::vector<std::string> all = lines();
  all[index] = line;
  try {
    traceFrom(textOf(all));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

/// Calls `visit` with every object inside `value`, and with `value`.
template <typename Visit>
void visitObjects(ordered_json& value, const Visit& visit) {
  if (value.is_object()) visit(value);
  if (!value.is_structured()) return;
  for (ordered_json& item : value) visitObjects(item, visit);
}

TEST(TraceSchema, AllowsWhatTheReaderReads) {
  traceFrom(textOf(lines()));
  for (const std::string& line : lines()) EXPECT_TRUE(schema().allows(json::parse(line))) << line;
}

/// Objects of the lines in which only the keys of the format may stand. The parameters of a library
/// type are those of its own.
bool isOpen(const ordered_json& object) {
  return object.contains("op");
}

TEST(TraceSchema, RefusesUnknownKeysAsTheReaderDoes) {
  for (std::size_t l = 0; l < lines().size(); ++l) {
    ordered_json line = ordered_json::parse(lines()[l]);
    visitObjects(line, [&](ordered_json& object) {
      if (isOpen(object)) return;
      object["colour"] = 1;
      EXPECT_FALSE(schema().allows(json::parse(line.dump()))) << line;
      EXPECT_NE(errorWith(l, line.dump()), "") << line;
      object.erase("colour");
    });
  }
}

// Without its only program a trace runs all of it, so that a key is what it can lack.
TEST(TraceSchema, RequiresTheKeysThatTheReaderRequires) {
  for (std::size_t l = 0; l < lines().size(); ++l) {
    ordered_json line = ordered_json::parse(lines()[l]);
    std::vector<std::string> keys;
    for (const auto& item : line.items()) keys.push_back(item.key());
    for (const std::string& key : keys) {
      ordered_json without = line;
      without.erase(key);
      if (schema().allows(json::parse(without.dump()))) continue;
      EXPECT_NE(errorWith(l, without.dump()), "") << without;
    }
  }
}

TEST(TraceSchema, RefusesValuesOfAnotherTypeAsTheReaderDoes) {
  for (std::size_t l = 0; l < lines().size(); ++l) {
    ordered_json line = ordered_json::parse(lines()[l]);
    visitObjects(line, [&](ordered_json& object) {
      if (isOpen(object)) return;
      for (auto& item : object.items()) {
        const ordered_json right = item.value();
        for (const ordered_json& other :
             {ordered_json(true), ordered_json(-9e99), ordered_json(nullptr), ordered_json("?"),
              ordered_json::array({nullptr})}) {
          item.value() = other;
          if (!schema().allows(json::parse(line.dump()))) {
            EXPECT_NE(errorWith(l, line.dump()), "") << line;
          }
        }
        item.value() = right;
      }
    });
  }
}

TEST(TraceSchema, AllowsTheShippedTraces) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator("configs/traces")) {
    if (entry.path().extension() != ".ipt") continue;
    ++files;
    std::ifstream text(entry.path());
    for (std::string line; std::getline(text, line);) {
      EXPECT_TRUE(schema().allows(json::parse(line))) << entry.path() << ' ' << line.substr(0, 80);
    }
  }
  EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace ipusim
