// SPDX-License-Identifier: Apache-2.0
#include "sim/interop/profiles/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/ipu/engines/closed_form/closed_form.h"
#include "sim/report/diff/diff.h"
#include "sim/report/json.h"
#include "sim/run/summary/summarize.h"
#include "tests/report/vendor_profile.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

namespace ipusim::report {
namespace {

using Json = nlohmann::ordered_json;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

constexpr const char* kGraph = R"({
  "target": {"type": "IPU", "numTiles": 3, "bytesPerTile": 1000, "totalMemory": 3000,
             "clockFrequency": 1000000.0, "numIPUs": 1},
  "graph": {"numVars": 7, "numVertices": 12, "numEdges": 30, "numComputeSets": 2},
  "computeSets": {"names": ["dot/Convolve", "dot/OnTileCopy-0"], "vertexCounts": [[4, 2], [6]]},
  "exchanges": {"bytesReceivedByTile": [[8, 0, 16]], "bytesSentByTile": [[0, 24, 0]],
                "estimatedCyclesByTile": [[5, 6, 7]]},
  "programs": [{"type": "Sequence", "children": [1, 2]}, {"type": "OnTileExecute", "computeset": 0},
               {"type": "DoExchange", "exchange": 0, "name": "dot/exchange"}],
  "memory": {
    "byTile": {"total": [100, 300, 200], "totalIncludingGaps": [110, 330, 220]},
    "byCategory": {
      "variables": {"interleaved": {"nonOverflowed": [10, 20, 30], "overflowed": [0, 0, 0]},
                    "nonInterleaved": [1, 2, 3]},
      "vertexFieldData": [1, 1, 1], "vectorListDescriptor": [2, 2, 2], "stack": {"total": 90},
      "instrumentationResults": [4, 4, 4]},
    "byVertexType": {}},
  "optimizationInfo": {"copies": 1}
})";

constexpr const char* kExecution = R"({
  "profilerMode": "COMPUTE_SETS",
  "computeSetCyclesByTile": [[50, 40, 60], [0, 2, 1]],
  "simulation": {"cycles": 2000, "steps": [
    {"type": "Sync", "cycles": 10}, {"type": "DoExchange", "program": 2, "cycles": 7},
    {"type": "OnTileExecute", "program": 1, "cycles": 60},
    {"type": "OnTileExecute", "program": 1, "cycles": 60}]}
})";

/// The import of files with these texts.
Json importOf(const std::vector<std::string>& texts) {
  const TemporaryFolder folder;
  std::vector<std::filesystem::path> files;
  for (const std::string& text : texts) {
    files.push_back(folder.write(std::to_string(files.size()) + ".json", text));
  }
  return interop::importProfile(files);
}

std::string faultOfProfile(const std::vector<std::string>& texts) {
  return configErrorOf([&] { importOf(texts); });
}

/// `text` with one part replaced.
std::string with(std::string text, const std::string& part, const std::string& other) {
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), other);
}

TEST(ImportProfile, FillsMachineGraphAndMemory) {
  const Json result = importOf({kGraph});
  EXPECT_EQ(result["machine"], Json::parse(R"({"name": "IPU", "tiles": 3,
      "sram_per_tile_bytes": 1000, "total_sram_bytes": 3000, "clock_hz": 1e6})"));
  EXPECT_EQ(result["graph"], Json::parse(R"({"variables": 7, "vertices": 12, "edges": 30,
      "compute_sets": 2, "exchanges": 1})"));
  EXPECT_EQ(result["memory"], Json::parse(R"({"capacity_tile_bytes": 1000, "total_bytes": 600,
      "max_tile_bytes": 300, "max_tile": 1, "by_category": {"variables": 66,
      "vertex_field_data": 9, "stack": 90}, "total_including_gaps_bytes": 660})"));
  EXPECT_EQ(result["fits"], true);
  EXPECT_EQ(result["tiles"]["variables_bytes"], Json({11, 22, 33}));
}

TEST(ImportProfile, CountsIterationsFromTheStepsThatRan) {
  const Json result = importOf({kGraph, kExecution});
  const Json& steps = result["steps"];
  ASSERT_EQ(steps.size(), 4U);
  EXPECT_EQ(steps[0], Json::parse(R"({"name": "Sync", "kind": "sync", "iterations": 1,
      "cycles": 10})"));
  EXPECT_EQ(steps[1], Json::parse(R"({"name": "dot/exchange", "kind": "exchange", "iterations": 1,
      "cycles": 7, "max_tile": 2, "mean_cycles": 6.0, "cycles_by_tile": [5, 6, 7],
      "exchange": {"bytes": 24, "max_tile_bytes": 16, "received_bytes_by_tile": [8, 0, 16],
                   "sent_bytes_by_tile": [0, 24, 0]}})"));
  EXPECT_EQ(steps[2], Json::parse(R"({"name": "dot/Convolve", "kind": "compute", "iterations": 2,
      "cycles": 120, "max_tile": 2, "mean_cycles": 100.0, "cycles_by_tile": [100, 80, 120],
      "vertices": 6})"));
  EXPECT_EQ(steps[3]["kind"], "copy");
  EXPECT_EQ(steps[3]["iterations"], 0);
}

TEST(ImportProfile, AddsUpTheTimeOfTheTiles) {
  const Json result = importOf({kGraph, kExecution});
  EXPECT_EQ(result["time"], Json::parse(R"({"cycles": 2000, "seconds": 0.002,
      "compute_cycles": 100, "exchange_cycles": 6})"));
  EXPECT_EQ(result["tiles"]["compute_cycles"], Json({100, 80, 120}));
  EXPECT_EQ(result["tiles"]["exchange_cycles"], Json({5, 6, 7}));
}

TEST(ImportProfile, ReadsBothProfilesFromOneFile) {
  const std::string both =
      std::string(R"({"graphProfile": )") + kGraph + R"(, "executionProfile": )" + kExecution + "}";
  EXPECT_EQ(importOf({both}), importOf({kExecution, kGraph}));
}

TEST(ImportProfile, NamesWhatItCannotFillAndWhatAResultCannotHold) {
  const Json result = importOf({kGraph, kExecution});
  const auto not_filled = result["not_filled"].get<std::vector<std::string>>();
  EXPECT_THAT(not_filled, IsSupersetOf({"memory.peak_not_always_live_bytes", "time.sync_cycles",
                                        "memory.by_category.control_code", "steps[].max_tile",
                                        "steps[].exchange.messages", "work.flops", "program"}));
  EXPECT_THAT(not_filled, Not(Contains("steps[].cycles")));
  EXPECT_THAT(result["not_held"].get<std::vector<std::string>>(),
              ElementsAre("target.numIPUs", "memory.byCategory.instrumentationResults (12 B)",
                          "memory.byVertexType", "optimizationInfo", "profilerMode"));
}

TEST(ImportProfile, FaultsNameFileAndKey) {
  EXPECT_THAT(faultOfProfile({with(kGraph, "[100, 300, 200]", "[100, 300]")}),
              EndsWith("0.json: memory.byTile.total: wanted one number for each of 3 tiles, found "
                       "an array of 2"));
  EXPECT_THAT(faultOfProfile({with(kGraph, "[8, 0, 16]", "[8, -1, 16]")}),
              EndsWith("0.json: exchanges.bytesReceivedByTile[0][1]: wanted a whole number that is "
                       "not negative, found -1"));
  EXPECT_THAT(faultOfProfile({with(kGraph, "\"computeset\": 0", "\"computeset\": 2")}),
              EndsWith("programs[1].computeset: wanted a number below 2, found 2"));
  EXPECT_THAT(
      faultOfProfile({kGraph, with(kExecution, "\"program\": 2", "\"program\": 3")}),
      EndsWith("1.json: simulation.steps[1].program: wanted the number of one of 3 programs, "
               "found 3"));
  EXPECT_THAT(faultOfProfile({kExecution}),
              HasSubstr("wanted a graph profile beside the execution"));
  EXPECT_THAT(faultOfProfile({kGraph, kGraph}),
              HasSubstr("wanted one graph profile, found another in"));
  EXPECT_THAT(faultOfProfile({"{}"}), HasSubstr("found neither"));
  const std::string huge = "18446744073709551615";
  EXPECT_THAT(faultOfProfile({with(kGraph, "[100, 300", "[" + huge + ", 300")}),
              HasSubstr("below 2^64"));
}

TEST(ImportProfile, EveryCutOfAProfileIsAFaultInOneLine) {
  const std::string graph = kGraph;
  for (std::size_t length = 0; length < graph.size(); length += 7) {
    EXPECT_THAT(faultOfProfile({graph.substr(0, length)}), Not(HasSubstr("\n"))) << length;
  }
}

template <typename Pair>
std::vector<std::string> keysOf(const std::vector<Pair>& pairs) {
  std::vector<std::string> keys;
  keys.reserve(pairs.size());
  for (const Pair& pair : pairs) keys.push_back(pair.key);
  return keys;
}

// A simulated run, as the vendor's profiler would write it down.
class ProfileOfOurs : public testing::TestWithParam<const char*> {
 protected:
  ProfileOfOurs()
      : experiment_(run::prepare(ConfigReader::fromText(GetParam(), "test.toml"))),
        measured_(models::closedForm(experiment_.executable.programs.only())),
        simulated_(withTiles(run::summarize(experiment_, {measured_, {}}))),
        recorded_(importOf({graphProfileOf(experiment_, measured_).dump(),
                            executionProfileOf(experiment_, measured_).dump()})) {}

  [[nodiscard]] ResultDiff diff() const {
    return diffResults(JsonReader(simulated_, "ours"), JsonReader(recorded_, "recorded"));
  }

  run::Experiment experiment_;
  ChipResult measured_;
  Json simulated_;
  Json recorded_;
};

TEST_P(ProfileOfOurs, ComesBackInEveryFieldThatTheFormatHolds) {
  const ResultDiff found = diff();
  EXPECT_TRUE(found.same()) << diffText(found, "ours", "recorded");
  EXPECT_EQ(found.steps.size(), experiment_.executable.lowered.steps.size());
  const std::vector<std::string> keys = keysOf(found.figures);
  EXPECT_THAT(keys, IsSupersetOf({"machine.name",
                                  "machine.tiles",
                                  "machine.clock_hz",
                                  "machine.sram_per_tile_bytes",
                                  "machine.total_sram_bytes",
                                  "graph.variables",
                                  "graph.vertices",
                                  "graph.edges",
                                  "graph.compute_sets",
                                  "graph.exchanges",
                                  "fits",
                                  "memory.capacity_tile_bytes",
                                  "memory.total_bytes",
                                  "memory.max_tile_bytes",
                                  "memory.max_tile",
                                  "memory.always_live_bytes",
                                  "memory.total_including_gaps_bytes",
                                  "time.cycles",
                                  "time.seconds",
                                  "time.compute_cycles",
                                  "time.exchange_cycles"}));
  for (std::size_t c = 0; c < kCategories; ++c) {
    const auto category = static_cast<MemoryCategory>(c);
    if (isBetweenIpus(category)) continue;
    EXPECT_THAT(keys, Contains(std::string("memory.by_category.") + keyOf(category)));
  }
}

TEST_P(ProfileOfOurs, ComesBackByTileAndByStep) {
  const ResultDiff found = diff();
  const std::vector<std::string> columns = keysOf(found.tiles);
  EXPECT_THAT(columns, IsSupersetOf({"tiles.total_bytes", "tiles.including_gaps_bytes",
                                     "tiles.always_live_bytes", "tiles.variables_bytes",
                                     "tiles.compute_cycles", "tiles.exchange_cycles"}));
  for (const StepPair& step : found.steps) {
    const std::vector<std::string> keys = keysOf(step.figures);
    EXPECT_THAT(keys, IsSupersetOf({"iterations", "cycles"})) << step.a;
    if (step.kind == "compute") {
      EXPECT_THAT(keys, IsSupersetOf({"max_tile", "mean_cycles", "vertices"}));
    } else if (step.kind == "exchange") {
      EXPECT_THAT(keys, IsSupersetOf({"max_tile", "exchange.bytes", "exchange.max_tile_bytes"}));
    }
  }
}

TEST_P(ProfileOfOurs, ReadsBackFromItsOwnText) {
  const TemporaryFolder folder;
  EXPECT_EQ(interop::readResult(folder.write("imported.json", interop::resultText(recorded_))),
            recorded_);
  EXPECT_EQ(interop::readResult(folder.write("ours.json", simulated_.dump(2))), simulated_);
}

INSTANTIATE_TEST_SUITE_P(
    Small, ProfileOfOurs,
    testing::Values("machine = \"toy\"\n"
                    "workload = {kind = \"matmul\", m = 16, k = 32, n = 16, "
                    "type = \"float\"}\n"
                    "host = {copy_in = true, copy_out = true}\n",
                    "machine = \"toy\"\n"
                    "workload = {kind = \"butterfly\", features = 16, batch = 4, "
                    "twiddles = \"tied\", order = \"increasing\", "
                    "type = \"float\"}\n"));

}  // namespace
}  // namespace ipusim::report
