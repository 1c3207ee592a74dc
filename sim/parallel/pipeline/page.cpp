// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/pipeline/page.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/text/json.h"
#include "sim/parallel/pipeline/report.h"
#include "sim/parallel/pipeline/schedule.h"
#include "sim/report/page/page_data.h"
#include "sim/report/page/run_lengths.h"

namespace ipusim::parallel {

namespace {

Json activeStages(const std::vector<bool>& is_active) {
  Json stages = Json::array();
  for (std::size_t s = 0; s < is_active.size(); ++s) {
    if (is_active[s]) stages.push_back(s);
  }
  return stages;
}

Json scheduleData(const ParallelTraining& training) {
  Json patterns = Json::array();
  for (const CyclePattern& pattern :
       PipelineSchedule(training.stages, training.micro_batches).patterns()) {
    patterns.push_back({{"cycles", pattern.cycles},
                        {"forward", activeStages(pattern.forward)},
                        {"backward", activeStages(pattern.backward)}});
  }
  return patterns;
}

Json stageData(const StagePrediction& stage) {
  return {{"forward_seconds", stage.forward_seconds},
          {"backward_seconds", stage.backward_seconds},
          {"tile_bytes",
           report::runLengths(stage.cost.tile_bytes, [](Bytes bytes) { return bytes.value(); })}};
}

}  // namespace

Json parallelPageData(const ParallelTraining& training, const ParallelPrediction& prediction) {
  Json data = {{"schema", report::kPageSchema}, {"workload", training.sizes.text("kind")}};
  data["result"] = parallelJson(training, prediction);
  data["capacity_bytes"] = training.computeIpu().sram_per_tile.value();
  Json& stages = data["stages"] = Json::array();
  for (const StagePrediction& stage : prediction.stages) stages.push_back(stageData(stage));
  if (training.execution == Execution::Pipelined) data["schedule"] = scheduleData(training);
  return data;
}

}  // namespace ipusim::parallel
