// SPDX-License-Identifier: Apache-2.0
#include "sim/interop/profiles/recording.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/text/json.h"
#include "ipusim/error.h"
#include "ipusim/version.h"
#include "sim/interop/profiles/result_keys.h"

namespace ipusim::interop {

namespace {

std::uint64_t sumOf(const CountsByTile& counts) {
  return std::accumulate(
      counts.begin(), counts.end(), std::uint64_t{0},
      [](std::uint64_t sum, std::uint64_t count) { return checkedSum(sum, count); });
}

/// The first of the tiles with the most.
std::size_t fullestOf(const CountsByTile& counts) {
  return static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

/// Adds `times` * `more` to `counts`, tile by tile.
void addTo(CountsByTile& counts, const CountsByTile& more, std::uint64_t times) {
  counts.resize(std::max(counts.size(), more.size()));
  for (std::size_t t = 0; t < more.size(); ++t) {
    counts[t] = checkedSum(counts[t], checkedProduct(times, more[t]));
  }
}

Json exchangeJson(const RecordedStep& step) {
  Json json = Json::object();
  if (!step.received_by_tile.empty()) {
    json["bytes"] = sumOf(step.received_by_tile);
    json["max_tile_bytes"] = step.received_by_tile[fullestOf(step.received_by_tile)];
    json["received_bytes_by_tile"] = step.received_by_tile;
  }
  if (!step.sent_by_tile.empty()) json["sent_bytes_by_tile"] = step.sent_by_tile;
  return json;
}

void addCycles(const RecordedStep& step, Json& json) {
  if (step.cycles_by_tile.empty()) {
    if (step.cycles) json["cycles"] = step.cycles->value();
    return;
  }
  CountsByTile cycles;
  addTo(cycles, step.cycles_by_tile, step.iterations.value_or(1));
  const std::size_t fullest = fullestOf(cycles);
  json["cycles"] = cycles[fullest];
  json["max_tile"] = fullest;
  json["mean_cycles"] = static_cast<double>(sumOf(cycles)) / static_cast<double>(cycles.size());
  json["cycles_by_tile"] = std::move(cycles);
}

Json stepJson(const RecordedStep& step) {
  Json json = {{"name", step.name}, {"kind", nameOf(step.kind)}};
  if (step.iterations) json["iterations"] = *step.iterations;
  addCycles(step, json);
  if (step.vertices) json["vertices"] = *step.vertices;
  const Json exchange = exchangeJson(step);
  if (!exchange.empty()) json["exchange"] = exchange;
  return json;
}

/// The cycles that each tile spends in all steps of a kind. Empty unless all of them are known by
/// tile.
CountsByTile cyclesByTile(const Recording& recording, StepKind kind) {
  CountsByTile cycles;
  for (const RecordedStep& step : recording.steps) {
    if (step.kind != kind) continue;
    if (step.cycles_by_tile.empty()) return {};
    addTo(cycles, step.cycles_by_tile, step.iterations.value_or(1));
  }
  return cycles;
}

void addColumn(const std::string& name, const CountsByTile& counts, Json& tiles) {
  if (!counts.empty()) tiles[name] = counts;
}

Json tilesJson(const Recording& recording) {
  Json tiles = Json::object();
  for (const RecordedCategory& category : recording.categories) {
    addColumn(std::string(keyOf(category.category)) + "_bytes", category.by_tile, tiles);
  }
  addColumn("always_live_bytes", recording.always_live_bytes, tiles);
  addColumn("total_bytes", recording.total_bytes, tiles);
  addColumn("including_gaps_bytes", recording.including_gaps_bytes, tiles);
  addColumn("compute_cycles", cyclesByTile(recording, StepKind::Compute), tiles);
  addColumn("copy_cycles", cyclesByTile(recording, StepKind::OnTileCopy), tiles);
  addColumn("exchange_cycles", cyclesByTile(recording, StepKind::Exchange), tiles);
  return tiles;
}

/// Adds a member to a section unless the profile said it itself.
template <typename Value>
void addMissing(Json& section, const char* key, Value value) {
  if (!section.contains(key)) section[key] = value;
}

void addMemory(const Recording& recording, Json& result) {
  Json& memory = result["memory"];
  if (!recording.total_bytes.empty()) {
    const std::size_t fullest = fullestOf(recording.total_bytes);
    memory["total_bytes"] = sumOf(recording.total_bytes);
    memory["max_tile_bytes"] = recording.total_bytes[fullest];
    memory["max_tile"] = fullest;
  }
  if (!recording.always_live_bytes.empty()) {
    memory["always_live_bytes"] = sumOf(recording.always_live_bytes);
  }
  for (const RecordedCategory& category : recording.categories) {
    memory["by_category"][keyOf(category.category)] = category.total.value();
  }
  if (recording.including_gaps_bytes.empty()) return;
  memory["total_including_gaps_bytes"] = sumOf(recording.including_gaps_bytes);
  if (memory.contains("capacity_tile_bytes")) {
    const auto capacity = memory["capacity_tile_bytes"].get<std::uint64_t>();
    const CountsByTile& bytes = recording.including_gaps_bytes;
    // A new member moves the others: `memory` is not used from here on.
    addMissing(result, "fits", bytes[fullestOf(bytes)] <= capacity);
  }
}

/// Adds the mean over the tiles of the cycles that they spend in steps of `kinds`.
void addMean(const char* key, const Recording& recording, const std::vector<StepKind>& kinds,
             Json& time) {
  CountsByTile cycles;
  for (const StepKind kind : kinds) {
    const CountsByTile of_kind = cyclesByTile(recording, kind);
    const bool any = std::any_of(recording.steps.begin(), recording.steps.end(),
                                 [&](const RecordedStep& step) { return step.kind == kind; });
    if (any && of_kind.empty()) return;
    addTo(cycles, of_kind, 1);
  }
  if (!cycles.empty()) addMissing(time, key, sumOf(cycles) / cycles.size());
}

void addTime(const Recording& recording, Json& result) {
  Json& time = result["time"];
  const Json& machine = result["machine"];
  if (time.contains("cycles") && machine.contains("clock_hz")) {
    const double seconds = secondsOf(Cycles(time["cycles"].get<std::uint64_t>()),
                                     machine.at("clock_hz").get<double>());
    if (std::isfinite(seconds)) time["seconds"] = seconds;
  }
  addMean("compute_cycles", recording, {StepKind::Compute, StepKind::OnTileCopy}, time);
  addMean("exchange_cycles", recording, {StepKind::Exchange}, time);
}

}  // namespace

void Recording::add(MemoryCategory category, Bytes total, const CountsByTile& by_tile) {
  for (RecordedCategory& known : categories) {
    if (known.category != category) continue;
    known.total += total;
    addTo(known.by_tile, by_tile, 1);
    return;
  }
  categories.push_back({category, total, by_tile});
}

Json resultOf(const Recording& recording) {
  Json result = {
      {"schema", kProfileSchema}, {"tool_version", libraryVersion()}, {"commit", libraryCommit()}};
  for (const char* const section : {"machine", "graph", "memory", "time"}) {
    result[section] = recording.figures.at(section);
  }
  if (recording.figures.contains("fits")) result["fits"] = recording.figures.at("fits");
  addMemory(recording, result);
  addTime(recording, result);
  Json& steps = result["steps"] = Json::array();
  for (const RecordedStep& step : recording.steps) steps.push_back(stepJson(step));
  result["tiles"] = tilesJson(recording);
  result["not_filled"] = keysMissingFrom(result);
  result["not_held"] = recording.not_held;
  return result;
}

}  // namespace ipusim::interop
