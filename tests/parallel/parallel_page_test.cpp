// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/parallel/pipeline/page.h"
#include "sim/parallel/pipeline/report.h"

namespace ipusim::parallel {
namespace {

using Json = nlohmann::ordered_json;

/// Training on four small IPUs: two replicas of two stages.
struct Trained {
  explicit Trained(const std::string& more = "")
      : training(readParallel(ConfigReader::fromText(
            "machine = {base = \"pod16\", ipu = {base = \"gc200\", tiles = 16}}\n"
            "[workload]\nkind = \"mlp_training\"\ndims = [64, 64, 64, 64, 8]\nbatch = 16\n"
            "[parallel]\nreplicas = 2\nmicro_batches = 5\n" +
                more,
            "run.toml"))),
        prediction(predictParallel(training, Engine::ClosedForm)),
        data(parallelPageData(training, prediction)) {}

  ParallelTraining training;
  ParallelPrediction prediction;
  Json data;
};

constexpr const char* kParallelPagePipeline = "stages = 2\n";

/// What all cycles of the schedule take: the longest stage of each, and the exchange after it.
double secondsOfCycles(const Json& data) {
  double seconds = 0;
  for (const Json& pattern : data["schedule"]) {
    std::vector<double> busy(data["stages"].size());
    for (const Json& s : pattern["forward"]) {
      busy.at(s) += data["stages"][s.get<std::size_t>()]["forward_seconds"].get<double>();
    }
    for (const Json& s : pattern["backward"]) {
      busy.at(s) += data["stages"][s.get<std::size_t>()]["backward_seconds"].get<double>();
    }
    seconds += pattern["cycles"].get<double>() *
               (*std::max_element(busy.begin(), busy.end()) +
                data["result"]["parallel"]["boundary_exchange_seconds"].get<double>());
  }
  return seconds;
}

TEST(ParallelPage, HoldsTheResultAsItsJsonHasIt) {
  const Trained trained(kParallelPagePipeline);
  EXPECT_EQ(trained.data["result"], parallelJson(trained.training, trained.prediction));
}

TEST(ParallelPage, TheScheduleTakesWhatTheStepTakes) {
  const Trained trained(kParallelPagePipeline);
  const StepParts& parts = trained.prediction.parts;
  EXPECT_NEAR(secondsOfCycles(trained.data) + parts.collectives + parts.update + parts.host,
              trained.prediction.step_seconds, 1e-9 * trained.prediction.step_seconds);
}

TEST(ParallelPage, TheFullestTileOfAStageIsInItsMap) {
  const Trained trained(kParallelPagePipeline);
  for (std::size_t s = 0; s < 2; ++s) {
    const Json tiles = trained.data["stages"][s]["tile_bytes"];
    std::uint64_t count = 0;
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < tiles.size(); i += 2) {
      count += tiles[i].get<std::uint64_t>();
      most = std::max(most, tiles[i + 1].get<std::uint64_t>());
    }
    EXPECT_EQ(count, 16U);
    EXPECT_EQ(Bytes(most), trained.prediction.stages[s].cost.max_tile_bytes);
  }
}

TEST(ParallelPage, OnlyAPipelineHasASchedule) {
  EXPECT_TRUE(Trained(kParallelPagePipeline).data.contains("schedule"));
  EXPECT_FALSE(Trained("stages = 2\nexecution = \"sharded\"\n").data.contains("schedule"));
}

}  // namespace
}  // namespace ipusim::parallel
