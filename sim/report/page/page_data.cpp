// SPDX-License-Identifier: Apache-2.0
#include "sim/report/page/page_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "base/text/json.h"
#include "sim/report/json.h"
#include "sim/report/page/run_lengths.h"
#include "sim/report/text/shares.h"

namespace ipusim::report {

namespace {

/// A column of the table of tiles.
struct TileColumn {
  const char* key;
  std::uint64_t (*value_of)(const TileResult& tile);
};

constexpr std::array<TileColumn, 13> kTileColumns = {{
    {"always_live_bytes", [](const TileResult& tile) { return tile.always_live.value(); }},
    {"peak_not_always_live_bytes",
     [](const TileResult& tile) { return tile.peak_not_always_live.value(); }},
    {"total_bytes", [](const TileResult& tile) { return tile.total().value(); }},
    {"including_gaps_bytes", [](const TileResult& tile) { return tile.including_gaps.value(); }},
    {"over_bytes", [](const TileResult& tile) { return tile.over.value(); }},
    {"compute_cycles", [](const TileResult& tile) { return tile.compute.value(); }},
    {"copy_cycles", [](const TileResult& tile) { return tile.copy.value(); }},
    {"exchange_cycles", [](const TileResult& tile) { return tile.exchange.value(); }},
    {"host_cycles", [](const TileResult& tile) { return tile.host.value(); }},
    {"links_cycles", [](const TileResult& tile) { return tile.links.value(); }},
    {"streaming_cycles", [](const TileResult& tile) { return tile.streaming.value(); }},
    {"sync_cycles", [](const TileResult& tile) { return tile.sync.value(); }},
    {"idle_cycles", [](const TileResult& tile) { return tile.idle.value(); }},
}};

Json tilesData(const std::vector<TileResult>& tiles) {
  Json data = Json::object();
  for (const TileColumn& column : kTileColumns) {
    data[column.key] = runLengths(tiles, column.value_of);
  }
  Json& categories = data["by_category"] = Json::object();
  for (std::size_t c = 0; c < kCategories; ++c) {
    const auto bytes_of = [c](const TileResult& tile) { return tile.bytes[c].value(); };
    Json list = runLengths(tiles, bytes_of);
    const bool is_zero = list.size() == 2 && list[1] == 0;
    if (!is_zero) categories[keyOf(static_cast<MemoryCategory>(c))] = std::move(list);
  }
  return data;
}

/// The tiles that hold the variable: [first tile, tiles, bytes on each, ...].
Json placesOf(const VariableResult& variable) {
  Json places = Json::array();
  for (const TileRun& run : variable.tiles) {
    places.insert(places.end(), {run.first_tile, run.tiles, run.bytes.value()});
  }
  return places;
}

Json variableData(const VariableResult& variable) {
  Json data = {{"name", variable.name},
               {"type", nameOf(variable.type)},
               {"elements", variable.elements},
               {"shape", variable.shape},
               {"bytes", bytesOnAll(variable).value()}};
  if (variable.always_live) {
    data["always_live"] = true;
  } else {
    data["live"] = {variable.first_position, variable.last_position};
  }
  return data;
}

/// The largest variables keep the tiles that they are on, as long as there is room.
Json variablesData(const std::vector<VariableResult>& variables, const PageLimits& limits,
                   std::vector<std::string>& left_out) {
  std::vector<std::size_t> order(variables.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return bytesOnAll(variables[a]) > bytesOnAll(variables[b]);
  });
  Json data = Json::array();
  for (const VariableResult& variable : variables) data.push_back(variableData(variable));
  std::size_t room = limits.variable_runs;
  std::size_t without = 0;
  for (const std::size_t v : order) {
    const std::size_t runs = variables[v].tiles.size();
    if (runs > room) {
      ++without;
      continue;
    }
    room -= runs;
    data[v]["tiles"] = placesOf(variables[v]);
  }
  if (without > 0) left_out.push_back(fmt::format("the tiles of {} variables", without));
  return data;
}

Json curveData(const LivenessCurve& curve) {
  Json data = Json::array();
  for (const LivenessChange& change : curve) {
    data.push_back(change.position);
    data.push_back(change.bytes.value());
  }
  return data;
}

/// The curve of the fullest tile comes first where not all have room.
Json livenessData(const Result& result, const PageLimits& limits,
                  std::vector<std::string>& left_out) {
  const LivenessCurves& liveness = result.liveness;
  const std::vector<Bytes> total = liveness.total(result.positions.size());
  Json data = {{"total_bytes", runLengths(total, [](Bytes bytes) { return bytes.value(); })}};
  data["curve_of_tile"] = runLengths(liveness.curve_of_tile);
  std::vector<Json> curves(liveness.curves.size());
  std::size_t room = limits.liveness_changes;
  std::size_t without = 0;
  const auto add = [&](std::size_t c) {
    if (!curves[c].is_null()) return;
    const std::size_t changes = liveness.curves[c].size();
    if (changes > room) {
      ++without;
      return;
    }
    room -= changes;
    curves[c] = curveData(liveness.curves[c]);
  };
  const std::uint32_t fullest = decidingTile(result);
  if (fullest < liveness.curve_of_tile.size()) add(liveness.curve_of_tile[fullest]);
  for (std::size_t c = 0; c < curves.size(); ++c) add(c);
  data["curves"] = std::move(curves);
  if (without > 0) left_out.push_back(fmt::format("{} liveness curves of tiles", without));
  return data;
}

/// The JSON of the run without what no part of the page shows: the activity of each step.
Json resultData(const run::RunResult& result) {
  Json data = toJson(result, Stats::Without);
  const auto steps = data.find("steps");
  if (steps == data.end()) return data;
  for (Json& step : *steps) step.erase("activity");
  return data;
}

}  // namespace

Json pageData(const run::RunResult& result, const PageLimits& limits) {
  std::vector<std::string> left_out;
  Json data = {{"schema", kPageSchema}, {"workload", result.workload}};
  Json& parameters = data["parameters"] = Json::array();
  for (const auto& [key, value] : result.parameters) parameters.push_back({key, value});
  data["result"] = resultData(result);
  data["code_region_bytes"] = result.machine.code_region.value();
  data["positions"] = result.positions;
  data["tiles"] = tilesData(result.tiles);
  data["variables"] = variablesData(result.variables, limits, left_out);
  data["liveness"] = livenessData(result, limits, left_out);
  if (result.energy) data["energy"] = energyData(result);
  if (result.detail) data["detail"] = detailData(result, limits, left_out);
  data["left_out"] = left_out;
  return data;
}

}  // namespace ipusim::report
