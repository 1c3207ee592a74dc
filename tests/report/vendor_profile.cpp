// SPDX-License-Identifier: Apache-2.0
#include "tests/report/vendor_profile.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/run/summary/summarize.h"

namespace ipusim::report {

using Json = nlohmann::ordered_json;
using compiler::Executable;

namespace {

using Counts = std::vector<std::uint64_t>;

bool isComputeSet(StepKind kind) {
  return kind == StepKind::Compute || kind == StepKind::OnTileCopy;
}

/// The indices of the steps that are compute sets, or of those that are exchanges.
std::vector<std::size_t> stepsThat(const Executable& executable, bool (*is)(StepKind)) {
  std::vector<std::size_t> steps;
  for (std::size_t s = 0; s < executable.lowered.steps.size(); ++s) {
    if (is(executable.lowered.steps[s].kind)) steps.push_back(s);
  }
  return steps;
}

std::vector<std::size_t> computeSets(const Executable& executable) {
  return stepsThat(executable, isComputeSet);
}

std::vector<std::size_t> exchanges(const Executable& executable) {
  return stepsThat(executable, [](StepKind kind) { return kind == StepKind::Exchange; });
}

/// The cycles of one iteration of a step.
Counts cyclesByTile(const ChipResult& measured, std::size_t step, std::uint64_t iterations) {
  Counts cycles;
  for (std::uint32_t t = 0; t < measured.tiles; ++t) {
    const std::uint64_t all = measured.busyOf(static_cast<std::uint32_t>(step), t).value();
    check(all % iterations == 0, "all iterations of the step take as long");
    cycles.push_back(all / iterations);
  }
  return cycles;
}

struct Traffic {
  Counts sent;
  Counts received;
};

/// The bytes of the exchange of a step, which some tiles have in their programs.
Traffic trafficOf(const ChipPrograms& programs, std::size_t step) {
  Traffic traffic{Counts(programs.tiles.size()), Counts(programs.tiles.size())};
  const auto count = [&](const Exchange& exchange) {
    for (std::uint32_t i = exchange.first; i < exchange.first + exchange.count; ++i) {
      const Transmission& transmission = programs.transmissions[i];
      traffic.sent[transmission.from.tile()] += transmission.bytes.value();
      for (const TileId to : programs.receiversOf(transmission)) {
        traffic.received[to.tile()] += transmission.bytes.value();
      }
    }
  };
  for (const TileProgram& tile : programs.tiles) {
    for (const TileOp& op : tile.ops) {
      if (op.kind != OpKind::Exchange || indexOf(op.step) != step) continue;
      count(programs.exchanges[op.first]);
      return traffic;
    }
  }
  return traffic;
}

Json exchangesJson(const Executable& executable, const ChipResult& measured) {
  const std::vector<StepResult> steps = run::summarizeSteps(executable, measured);
  Json json = {{"bytesReceivedByTile", Json::array()},
               {"bytesSentByTile", Json::array()},
               {"estimatedCyclesByTile", Json::array()}};
  for (const std::size_t step : exchanges(executable)) {
    const Traffic traffic = trafficOf(executable.programs.only(), step);
    json["bytesReceivedByTile"].push_back(traffic.received);
    json["bytesSentByTile"].push_back(traffic.sent);
    json["estimatedCyclesByTile"].push_back(cyclesByTile(measured, step, steps[step].iterations));
  }
  return json;
}

Json computeSetsJson(const Executable& executable, const ChipResult& measured) {
  const std::vector<StepResult> steps = run::summarizeSteps(executable, measured);
  Json json = {{"names", Json::array()}, {"vertexCounts", Json::array()}};
  for (const std::size_t step : computeSets(executable)) {
    json["names"].push_back(steps[step].name);
    // Two vertex types with half of the vertices each.
    const std::uint64_t half = steps[step].vertices / 2;
    json["vertexCounts"].push_back({half, steps[step].vertices - half});
  }
  return json;
}

/// One program per step: its number is one more than that of the step. Program 0 runs them all.
Json programsJson(const Executable& executable) {
  Json programs = {{{"type", "Sequence"}, {"children", Json::array()}}};
  std::size_t compute_set = 0;
  std::size_t exchange = 0;
  for (const compiler::Step& step : executable.lowered.steps) {
    Json program = {{"name", step.name}};
    if (isComputeSet(step.kind)) {
      program["type"] = "OnTileExecute";
      program["computeset"] = compute_set++;
    } else if (step.kind == StepKind::Exchange) {
      program["type"] = "DoExchange";
      program["exchange"] = exchange++;
    } else {
      program["type"] = step.kind == StepKind::Sync ? "Sync" : "StreamCopy";
    }
    programs.push_back(std::move(program));
  }
  return programs;
}

const char* vendorWord(MemoryCategory category) {
  static constexpr std::array<const char*, kCategories> kWords = {"variable",
                                                                  "constant",
                                                                  "message",
                                                                  "vertexCode",
                                                                  "vertexInstanceState",
                                                                  "vertexFieldData",
                                                                  "copyDescriptor",
                                                                  "internalExchangeCode",
                                                                  "controlCode",
                                                                  "hostExchangeCode",
                                                                  "hostExchangePacketHeader",
                                                                  "globalExchangeCode",
                                                                  "globalExchangePacketHeader",
                                                                  "stack"};
  return kWords.at(static_cast<std::size_t>(category));
}

/// The bytes of a category, split over the regions of memory.
Json categoryJson(const std::vector<TileResult>& tiles, std::size_t category) {
  Counts plain;
  Counts interleaved;
  for (const TileResult& tile : tiles) {
    interleaved.push_back(tile.bytes[category].value() / 3);
    plain.push_back(tile.bytes[category].value() - interleaved.back());
  }
  return {{"nonInterleaved", {{"nonOverflowed", plain}, {"overflowed", 0}}},
          {"interleaved", {{"nonOverflowed", interleaved}, {"overflowed", 0}}}};
}

Json memoryJson(const std::vector<TileResult>& tiles) {
  Json by_category = Json::object();
  for (std::size_t c = 0; c < kCategories; ++c) {
    by_category[vendorWord(static_cast<MemoryCategory>(c))] = categoryJson(tiles, c);
  }
  Counts total;
  Counts including_gaps;
  Counts always_live;
  for (const TileResult& tile : tiles) {
    total.push_back(tile.total().value());
    including_gaps.push_back(tile.including_gaps.value());
    always_live.push_back(tile.always_live.value());
  }
  return {{"byTile", {{"total", total}, {"totalIncludingGaps", including_gaps}}},
          {"byCategory", by_category},
          {"liveness", {{"alwaysLive", {{"bytesByTile", always_live}}}}}};
}

/// Goes through the program as it runs, and lists its steps.
struct StepLister {
  const std::vector<StepResult>& steps;
  const Json& programs;
  Json& list;

  void operator()(StepId id) const {
    const StepResult& step = steps[indexOf(id)];
    list.push_back({{"type", programs[1 + indexOf(id)].at("type")},
                    {"name", step.name},
                    {"program", 1 + indexOf(id)},
                    {"cycles", step.cycles.value() / step.iterations}});
  }
  void operator()(const compiler::Loop& loop) const {
    for (std::uint64_t i = 0; i < loop.iterations; ++i) walk(loop.body, *this);
  }
};

}  // namespace

Json graphProfileOf(const run::Experiment& experiment, const ChipResult& measured) {
  const Executable& executable = experiment.executable;
  const GraphCounts counts = run::countsOf(executable);
  const Machine& machine = executable.system.ipu;
  return {{"target",
           {{"type", machine.name},
            {"numTiles", machine.tiles},
            {"bytesPerTile", machine.sram_per_tile.value()},
            {"totalMemory", machine.totalSram().value()},
            {"clockFrequency", machine.clock_hz}}},
          {"graph",
           {{"numVars", counts.variables},
            {"numVertices", counts.vertices},
            {"numEdges", counts.edges},
            {"numComputeSets", counts.compute_sets}}},
          {"computeSets", computeSetsJson(executable, measured)},
          {"exchanges", exchangesJson(executable, measured)},
          {"programs", programsJson(executable)},
          {"memory", memoryJson(run::summarizeTiles(executable, measured))}};
}

Json executionProfileOf(const run::Experiment& experiment, const ChipResult& measured) {
  const Executable& executable = experiment.executable;
  const std::vector<StepResult> steps = run::summarizeSteps(executable, measured);
  Json json = {{"profilerMode", "COMPUTE_SETS"}, {"computeSetCyclesByTile", Json::array()}};
  for (const std::size_t step : computeSets(executable)) {
    json["computeSetCyclesByTile"].push_back(cyclesByTile(measured, step, steps[step].iterations));
  }
  const Json programs = programsJson(executable);
  Json list = Json::array();
  walk(executable.lowered.control, StepLister{steps, programs, list});
  json["simulation"] = {{"cycles", measured.end.value()}, {"steps", std::move(list)}};
  return json;
}

}  // namespace ipusim::report
