// SPDX-License-Identifier: Apache-2.0
#include "sim/report/timeline/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>

#include "models/ipu/engines/closed_form/closed_form_compute.h"
#include "sim/report/timeline/context_slices.h"
#include "sim/run/simulate.h"

namespace ipusim::report {
namespace {

using namespace ipusim::literals;
using TraceJson = nlohmann::json;
using testing::ElementsAre;

/// A product on 64 tiles with exchanges, and its timeline.
struct Traced {
  run::RunResult result;
  TraceJson json;
};

Traced traced(Engine engine, const std::string& run, const std::vector<Override>& overrides) {
  const auto config = ConfigReader::fromFile("configs/runs/" + run + ".toml", overrides);
  const run::Experiment experiment = run::prepare(config);
  const run::RunResult expected = run::simulate(experiment, Engine::ClosedForm);
  std::string text;
  Timeline timeline(
      experiment.executable.programs.only(), expected, shownTiles(expected, {3}),
      [&text](std::string_view part) { text += part; }, nullptr);
  run::SimulateOptions options;
  options.observer = &timeline;
  run::RunResult result = run::simulate(experiment, engine, options);
  timeline.finish();
  return {std::move(result), TraceJson::parse(text)};
}

const Traced& product(Engine engine = Engine::SystemC) {
  const auto trace = [](Engine which) {
    return traced(which, "matmul",
                  {{"machine", "{base = \"gc200\", tiles = 64}"},
                   {"workload.m", "256"},
                   {"workload.k", "256"},
                   {"workload.n", "256"}});
  };
  static const Traced chip = trace(Engine::SystemC);
  static const Traced closed_form = trace(Engine::ClosedForm);
  return engine == Engine::SystemC ? chip : closed_form;
}

/// A program with a Repeat around Syncs.
const Traced& loop() {
  static const Traced kLoop =
      traced(Engine::SystemC, "stencil", {{"machine", "{base = \"gc200\", tiles = 16}"}});
  return kLoop;
}

std::vector<TraceJson> slicesOf(const TraceJson& trace, int process, int thread) {
  std::vector<TraceJson> slices;
  for (const TraceJson& event : trace["traceEvents"]) {
    if (event["ph"] == "X" && event["pid"] == process && event["tid"] == thread) {
      slices.push_back(event);
    }
  }
  return slices;
}

/// The tile of a process, from its name.
std::uint32_t tileOf(const TraceJson& trace, int process) {
  for (const TraceJson& event : trace["traceEvents"]) {
    if (event["name"] != "process_name" || event["pid"] != process) continue;
    return static_cast<std::uint32_t>(
        std::stoul(event["args"]["name"].get<std::string>().substr(5)));
  }
  throw std::runtime_error("no such process");
}

/// The cycles of a category, over all iterations.
std::uint64_t cyclesIn(const std::vector<TraceJson>& slices, const std::string& category) {
  std::uint64_t cycles = 0;
  for (const TraceJson& slice : slices) {
    const TraceJson& args = slice["args"];
    if (slice["cat"] != category) continue;
    cycles += args["cycles"].get<std::uint64_t>() * args["iterations"].get<std::uint64_t>();
  }
  return cycles;
}

/// Where the slices of a track that follow one another from cycle 0 on end.
std::uint64_t endOfSlices(const std::vector<TraceJson>& slices) {
  std::uint64_t end = 0;
  for (const TraceJson& slice : slices) {
    EXPECT_EQ(slice["args"]["begin_cycle"], end) << slice;
    end += slice["args"]["cycles"].get<std::uint64_t>();
  }
  return end;
}

class TimelineOf : public testing::TestWithParam<const Traced* (*)()> {
 protected:
  static const Traced& it() { return *GetParam()(); }
};

TEST_P(TimelineOf, HasEventsWithTheFieldsOfTheirKind) {
  std::set<std::string> kinds;
  for (const TraceJson& event : it().json["traceEvents"]) {
    kinds.insert(event["ph"].get<std::string>());
    EXPECT_TRUE(event["pid"].is_number_unsigned() && event["tid"].is_number_unsigned()) << event;
    EXPECT_TRUE(event["name"].is_string() && event["args"].is_object()) << event;
    if (event["ph"] == "M") continue;
    EXPECT_GE(event["ts"].get<double>(), 0) << event;
    if (event["ph"] == "X") {
      EXPECT_GT(event["dur"].get<double>(), 0) << event;
    }
  }
  EXPECT_EQ(kinds, (std::set<std::string>{"C", "M", "X"}));
}

TEST_P(TimelineOf, HasPhasesOfTheChipWithoutGapThatEndWithTheRun) {
  EXPECT_EQ(endOfSlices(slicesOf(it().json, 0, 0)), it().result.time.cycles.value());
}

TEST(Timeline, HasEveryStepOnTheRowOfTheChip) {
  std::set<std::string> names;
  for (const TraceJson& slice : slicesOf(product().json, 0, 0)) {
    EXPECT_NE(slice["cat"], "repeated") << slice;
    names.insert(slice["name"].get<std::string>());
  }
  std::set<std::string> steps;
  for (const StepResult& step : product().result.steps) steps.insert(step.name);
  EXPECT_EQ(names, steps);
}

TEST_P(TimelineOf, HasTheCyclesThatTheResultHasForEachTile) {
  for (const int process : {1, 2, 3}) {
    const TileResult& tile = it().result.tiles[tileOf(it().json, process)];
    const std::vector<TraceJson> slices = slicesOf(it().json, process, 0);
    EXPECT_EQ(endOfSlices(slices), it().result.time.cycles.value() - tile.idle.value());
    EXPECT_EQ(cyclesIn(slices, "compute"), tile.compute.value());
    EXPECT_EQ(cyclesIn(slices, "copy"), tile.copy.value());
    EXPECT_EQ(cyclesIn(slices, "exchange"), tile.exchange.value());
    EXPECT_EQ(cyclesIn(slices, "sync"), tile.sync.value());
  }
}

/// Contexts and ports: none of their slices overlap.
TEST_P(TimelineOf, HoldsEveryContextAndPortOnceAtATime) {
  std::map<std::pair<int, int>, std::uint64_t> ends;
  for (const TraceJson& event : it().json["traceEvents"]) {
    if (event["ph"] != "X") continue;
    std::uint64_t& end = ends[{event["pid"].get<int>(), event["tid"].get<int>()}];
    const auto begin = event["args"]["begin_cycle"].get<std::uint64_t>();
    EXPECT_GE(begin, end) << event;
    end = begin + event["args"]["cycles"].get<std::uint64_t>();
  }
  EXPECT_GT(ends.size(), 10U);
}

TEST_P(TimelineOf, CountsTheLiveMemoryUpToThePeakOfTheTile) {
  for (const int process : {1, 2, 3}) {
    std::uint64_t most = 0;
    for (const TraceJson& event : it().json["traceEvents"]) {
      if (event["ph"] != "C" || event["pid"] != process) continue;
      most = std::max(most, event["args"]["bytes"].get<std::uint64_t>());
    }
    EXPECT_EQ(most, it().result.tiles[tileOf(it().json, process)].total().value());
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, TimelineOf,
                         testing::Values([] { return &product(); }, [] { return &loop(); }));

TEST(Timeline, HasTheSameSlicesWithBothEngines) {
  const auto sorted = [](const TraceJson& trace) {
    std::vector<std::string> events;
    for (const TraceJson& event : trace["traceEvents"]) events.push_back(event.dump());
    std::sort(events.begin(), events.end());
    return events;
  };
  EXPECT_EQ(sorted(product(Engine::SystemC).json), sorted(product(Engine::ClosedForm).json));
}

TEST(Timeline, SaysWhichIterationsItDoesNotShow) {
  const std::vector<TraceJson> slices = slicesOf(loop().json, 0, 0);
  EXPECT_TRUE(std::any_of(slices.begin(), slices.end(),
                          [](const TraceJson& slice) { return slice["cat"] == "repeated"; }));
}

TEST(Timeline, PassesOnWhatWritingThrew) {
  TraceEvents events(1e9, [](std::string_view) { throw std::runtime_error("full"); });
  EXPECT_THROW(events.finish("{}"), std::runtime_error);
}

TEST(Timeline, EscapesNames) {
  EXPECT_EQ(TraceJson::parse(jsonString("a\"\n\xff</script>")), "a\"\n\xEF\xBF\xBD</script>");
}

TEST(ShownTiles, AreTheBusiestTheMedianAndTheNamedOnesOnceEach) {
  Result result;
  for (const auto cycles : {10_cycles, 40_cycles, 20_cycles, 30_cycles}) {
    result.tiles.emplace_back().compute = cycles;
  }
  std::vector<std::uint32_t> tiles;
  for (const ShownTile& shown : shownTiles(result, {0, 1})) tiles.push_back(shown.tile);
  EXPECT_THAT(tiles, ElementsAre(1, 2, 0));
}

/// Two contexts, a launch of one cycle: vertices of three slots hold a context for six cycles.
TEST(ContextSlices, PutVerticesOnTheContextThatIsFreeFirst) {
  ChipTiming timing;
  timing.workers = 2;
  timing.vertex_launch = 1_cycles;
  timing.supervisor_call = 5_cycles;
  const std::vector<VertexRun> vertices = {{VertexKind::Worker, 3, 3_cycles},
                                           {VertexKind::Supervisor, 1, 10_cycles}};
  std::vector<std::vector<std::uint64_t>> slices;
  const Cycles end = contextSlices(
      timing, vertices.data(), vertices.data() + 2, 100_cycles,
      [&slices](const ContextSlice& slice) {
        slices.push_back({slice.context, slice.vertices, slice.begin.value(), slice.end.value()});
      });
  // Launches end at 101, 102 and 108; the third vertex ends at 114, the supervisor 15 later.
  EXPECT_EQ(end, 129_cycles);
  EXPECT_THAT(slices, ElementsAre(ElementsAre(0, 2, 101, 114), ElementsAre(1, 1, 102, 108),
                                  ElementsAre(2, 1, 114, 129)));
}

/// What the slices of a context hold together, and where the last one ends.
TEST(ContextSlices, EndWithTheComputeOfTheClosedFormForAnyRuns) {
  ChipTiming timing{};
  timing.workers = 6;
  timing.vertex_launch = 3_cycles;
  timing.supervisor_call = 10_cycles;
  timing.compute_set_entry = 20_cycles;
  std::mt19937 random(7);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<VertexRun> runs;
    std::uint64_t vertices = 0;
    for (int r = 0; r < 4; ++r) {
      const auto count = static_cast<std::uint32_t>(random() % 60);
      const auto kind = random() % 4 == 0 ? VertexKind::Supervisor : VertexKind::Worker;
      runs.push_back({kind, count, Cycles(random() % 200)});
      vertices += count;
    }
    const VertexRun* const first = runs.data();
    const Cycles end =
        contextSlices(timing, first, first + runs.size(), 1000_cycles,
                      [&vertices](const ContextSlice& slice) { vertices -= slice.vertices; });
    EXPECT_EQ(vertices, 0U);
    EXPECT_EQ(end, 1000_cycles + models::ComputeClock(timing).duration(first, first + runs.size()));
  }
}

TEST(ContextSlices, OfBillionsOfVerticesTakeNoTime) {
  ChipTiming timing{};
  timing.workers = 6;
  const std::vector<VertexRun> runs = {{VertexKind::Worker, 3'000'000'000, 5_cycles}};
  EXPECT_EQ(contextSlices(timing, runs.data(), runs.data() + 1, 0_cycles, [](const auto&) {}),
            Cycles(500'000'000ULL * 6 * 5));
}

}  // namespace
}  // namespace ipusim::report
