// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/golden_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/crc.hpp>
#include <nlohmann/json.hpp>

namespace ipusim::run {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kPaths = {
    "graph.variables",
    "graph.vertices",
    "graph.edges",
    "graph.compute_sets",
    "graph.exchanges",
    "fits",
    "oom.step",
    "oom.bytes_over",
    "memory.total_bytes",
    "memory.max_tile_bytes",
    "memory.max_tile",
    "memory.always_live_bytes",
    "memory.peak_not_always_live_bytes",
    "memory.by_category.variables",
    "memory.by_category.message_buffers",
    "memory.by_category.vertex_code",
    "memory.by_category.vertex_state",
    "memory.by_category.vertex_field_data",
    "memory.by_category.internal_exchange_code",
    "memory.by_category.control_code",
    "memory.total_including_gaps_bytes",
    "time.cycles",
    "time.compute_cycles",
    "time.exchange_cycles",
    "time.sync_cycles",
    "time.host_cycles",
    "time.low_seconds",
    "time.high_seconds",
    "work.flops",
    "plan.method",
    "plan.tiles",
    "plan.estimated_cycles",
    "model.parameters",
    "dense.cycles",
    "training.seconds",
    "compare.a30.seconds",
    "compare.a30_tf32.seconds",
};

std::string cellAt(const Json& result, const std::string& path) {
  const Json* at = &result;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const std::string key = path.substr(begin, end - begin);
    if (!at->is_object() || !at->contains(key)) return "";
    at = &at->at(key);
    begin = end + 1;
  }
  return at->is_string() ? at->get<std::string>() : at->dump();
}

std::string crc32(const Json& json) {
  const std::string text = json.dump();
  boost::crc_32_type crc;
  crc.process_bytes(text.data(), text.size());
  return fmt::format("{:08x}", crc.checksum());
}

/// Takes the activity of the run and of its steps out of the result. Tests of its own count it.
void dropActivity(Json& result) {
  result.erase("activity");
  for (Json& step : result.at("steps")) step.erase("activity");
}

}  // namespace

GoldenRow goldenColumns() {
  GoldenRow columns(std::begin(kPaths), std::end(kPaths));
  for (const char* last : {"steps", "steps_crc32", "result_crc32"}) columns.emplace_back(last);
  return columns;
}

GoldenRow goldenRow(Json result) {
  GoldenRow row;
  for (const char* path : kPaths) row.push_back(cellAt(result, path));
  dropActivity(result);
  const Json steps = result.at("steps");
  result.erase("steps");
  result.erase("tool_version");
  result.erase("commit");
  row.push_back(std::to_string(steps.size()));
  row.push_back(crc32(steps));
  row.push_back(crc32(result));
  return row;
}

}  // namespace ipusim::run
