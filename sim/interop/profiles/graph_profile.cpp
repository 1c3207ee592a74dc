// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text/json.h"
#include "sim/interop/profiles/profile_json.h"
#include "sim/interop/profiles/vendor_words.h"

namespace ipusim::interop {

namespace {

using ProfileSteps = std::vector<RecordedStep>;

/// Copies counts of `json` into a section of the result: the vendor's key, then ours.
void copyCounts(const JsonReader& json,
                const std::vector<std::pair<const char*, const char*>>& keys, Json& section) {
  for (const auto& [theirs, ours] : keys) {
    if (const auto count = json.find(theirs)) section[ours] = count->count();
  }
}

void readTarget(const JsonReader& target, Recording& recording) {
  Json& machine = recording.figures["machine"];
  if (const auto type = target.find("type")) machine["name"] = type->text();
  copyCounts(target,
             {{"numTiles", "tiles"},
              {"bytesPerTile", "sram_per_tile_bytes"},
              {"totalMemory", "total_sram_bytes"}},
             machine);
  copyCounts(target, {{"bytesPerTile", "capacity_tile_bytes"}}, recording.figures["memory"]);
  if (const auto clock = target.find("clockFrequency")) {
    if (clock->real() <= 0) clock->fail("a clock above zero");
    machine["clock_hz"] = clock->real();
  }
  nameUnread(target, "target",
             {"type", "numTiles", "bytesPerTile", "totalMemory", "clockFrequency"}, recording);
}

void readCounts(const JsonReader& graph, Recording& recording) {
  copyCounts(graph,
             {{"numVars", "variables"},
              {"numVertices", "vertices"},
              {"numEdges", "edges"},
              {"numComputeSets", "compute_sets"}},
             recording.figures["graph"]);
  nameUnread(graph, "graph", {"numVars", "numVertices", "numEdges", "numComputeSets"}, recording);
}

/// The sum of the counts of each vertex type.
std::uint64_t verticesOf(const JsonReader& counts) {
  if (!counts.isArray()) return counts.count();
  std::uint64_t vertices = 0;
  for (const std::uint64_t count : counts.counts()) vertices = checkedSum(vertices, count);
  return vertices;
}

/// The vendor counts copies on a tile as compute sets, and names them so.
StepKind kindOfComputeSet(const std::string& name) {
  return name.find("OnTileCopy") == std::string::npos ? StepKind::Compute : StepKind::OnTileCopy;
}

void readComputeSets(const JsonReader& sets, Recording& recording) {
  const JsonReader names = sets.at("names");
  const auto counts = sets.find("vertexCounts");
  if (counts && counts->size() != names.size()) {
    counts->fail(fmt::format("one entry for each of {} names", names.size()));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    RecordedStep step;
    step.name = names[i].text();
    step.kind = kindOfComputeSet(step.name);
    if (counts) step.vertices = verticesOf((*counts)[i]);
    recording.steps.push_back(std::move(step));
  }
  nameUnread(sets, "computeSets", {"names", "vertexCounts"}, recording);
}

/// Reads one list of counts by tile for each exchange. Exchanges begin at step `first`.
void readExchangeTables(const JsonReader& exchanges, const char* key, std::size_t first,
                        CountsByTile RecordedStep::*counts, Recording& recording) {
  const auto table = exchanges.find(key);
  if (!table) return;
  ProfileSteps& steps = recording.steps;
  for (std::size_t i = 0; i < table->size(); ++i) {
    if (first + i == steps.size()) {
      RecordedStep step;
      step.name = fmt::format("exchange {}", i);
      step.kind = StepKind::Exchange;
      steps.push_back(std::move(step));
    }
    steps[first + i].*counts = readByTile((*table)[i], recording);
  }
}

void readExchanges(const JsonReader& exchanges, Recording& recording) {
  const std::size_t first = recording.steps.size();
  readExchangeTables(exchanges, "bytesReceivedByTile", first, &RecordedStep::received_by_tile,
                     recording);
  readExchangeTables(exchanges, "bytesSentByTile", first, &RecordedStep::sent_by_tile, recording);
  for (const char* const key : {"cyclesByTile", "estimatedCyclesByTile"}) {
    readExchangeTables(exchanges, key, first, &RecordedStep::cycles_by_tile, recording);
  }
  recording.figures["graph"]["exchanges"] = recording.steps.size() - first;
  nameUnread(exchanges, "exchanges",
             {"bytesReceivedByTile", "bytesSentByTile", "cyclesByTile", "estimatedCyclesByTile"},
             recording);
}

/// The step that a program runs: the one that its member `key` is the index of, from `first` on.
std::optional<std::size_t> stepOf(const JsonReader& program, const char* key, std::size_t first,
                                  std::size_t end) {
  const auto index = program.find(key);
  if (!index) return std::nullopt;
  const std::uint64_t number = index->count();
  if (number >= end - first) index->fail(fmt::format("a number below {}", end - first));
  return first + number;
}

std::optional<std::size_t> stepOf(const JsonReader& program, std::size_t compute_sets,
                                  std::size_t steps) {
  for (const char* const key : {"computeset", "computeSet"}) {
    if (const auto step = stepOf(program, key, 0, compute_sets)) return step;
  }
  return stepOf(program, "exchange", compute_sets, steps);
}

void readPrograms(const JsonReader& programs, GraphProfile& graph) {
  ProfileSteps& steps = graph.recording.steps;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const JsonReader program = programs[i];
    const std::optional<std::size_t> step = stepOf(program, graph.compute_sets, steps.size());
    const auto name = program.find("name");
    if (step && name && *step >= graph.compute_sets) steps[*step].name = name->text();
    graph.step_of_program.push_back(step);
  }
}

/// Adds up counts by tile and plain counts, however they are split into regions.
void addBytes(const JsonReader& bytes, const Recording& recording, RecordedCategory& sum) {
  if (bytes.isArray()) {
    const CountsByTile counts = readByTile(bytes, recording);
    sum.by_tile.resize(counts.size());
    for (std::size_t t = 0; t < counts.size(); ++t) {
      sum.by_tile[t] = checkedSum(sum.by_tile[t], counts[t]);
      sum.total += Bytes(counts[t]);
    }
  } else if (!bytes.isObject()) {
    sum.total += Bytes(bytes.count());
  } else if (const auto total = bytes.find("total")) {
    addBytes(*total, recording, sum);
  } else {
    for (const auto& [key, value] : bytes.value().items()) addBytes(bytes.at(key), recording, sum);
  }
}

void readCategories(const JsonReader& categories, Recording& recording) {
  if (!categories.isObject()) categories.fail("an object");
  for (const auto& [name, value] : categories.value().items()) {
    RecordedCategory sum{MemoryCategory::Variables, Bytes(), {}};
    addBytes(categories.at(name), recording, sum);
    if (const auto category = categoryInProfile(name)) {
      recording.add(*category, sum.total, sum.by_tile);
    } else {
      recording.not_held.push_back(
          fmt::format("memory.byCategory.{} ({} B)", name, sum.total.value()));
    }
  }
}

void readMemoryByTile(const JsonReader& by_tile, Recording& recording) {
  if (const auto total = by_tile.find("total")) {
    recording.total_bytes = readByTile(*total, recording);
  }
  if (const auto total = by_tile.find("totalIncludingGaps")) {
    recording.including_gaps_bytes = readByTile(*total, recording);
  }
  nameUnread(by_tile, "memory.byTile", {"total", "totalIncludingGaps"}, recording);
}

void readLiveness(const JsonReader& liveness, Recording& recording) {
  if (const auto always = liveness.find("alwaysLive")) {
    recording.always_live_bytes = readByTile(always->at("bytesByTile"), recording);
    nameUnread(*always, "memory.liveness.alwaysLive", {"bytesByTile"}, recording);
  }
  nameUnread(liveness, "memory.liveness", {"alwaysLive"}, recording);
}

void readMemory(const JsonReader& memory, Recording& recording) {
  if (const auto by_tile = memory.find("byTile")) readMemoryByTile(*by_tile, recording);
  if (const auto categories = memory.find("byCategory")) readCategories(*categories, recording);
  if (const auto liveness = memory.find("liveness")) readLiveness(*liveness, recording);
  nameUnread(memory, "memory", {"byTile", "byCategory", "liveness"}, recording);
}

}  // namespace

void nameUnread(const JsonReader& json, const std::string& inside,
                const std::vector<std::string>& read, Recording& recording) {
  for (const auto& [key, value] : json.value().items()) {
    if (std::find(read.begin(), read.end(), key) != read.end()) continue;
    recording.not_held.push_back(inside.empty() ? key : fmt::format("{}.{}", inside, key));
  }
}

CountsByTile readByTile(const JsonReader& json, const Recording& recording) {
  CountsByTile counts = json.counts();
  const Json& machine = recording.figures.at("machine");
  const std::uint64_t tiles = machine.value("tiles", std::uint64_t{counts.size()});
  if (counts.empty() || counts.size() != tiles) {
    json.fail(fmt::format("one number for each of {} tiles", std::max<std::uint64_t>(tiles, 1)));
  }
  return counts;
}

GraphProfile readGraphProfile(const JsonReader& json) {
  GraphProfile graph;
  Recording& recording = graph.recording;
  readTarget(json.at("target"), recording);
  if (const auto counts = json.find("graph")) readCounts(*counts, recording);
  if (const auto sets = json.find("computeSets")) readComputeSets(*sets, recording);
  graph.compute_sets = recording.steps.size();
  if (const auto exchanges = json.find("exchanges")) readExchanges(*exchanges, recording);
  if (const auto programs = json.find("programs")) readPrograms(*programs, graph);
  if (const auto memory = json.find("memory")) readMemory(*memory, recording);
  nameUnread(json, "", {"target", "graph", "computeSets", "exchanges", "programs", "memory"},
             recording);
  return graph;
}

}  // namespace ipusim::interop
