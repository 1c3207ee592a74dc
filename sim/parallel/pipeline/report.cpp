// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/pipeline/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/text/json.h"
#include "ipusim/version.h"
#include "models/ipu/cost/exchange/collective_words.h"
#include "sim/parallel/pipeline/memory_json.h"
#include "sim/parallel/pipeline/phase_report.h"
#include "sim/report/text/costs.h"
#include "sim/report/text/quantity.h"
#include "sim/report/text/text_layout.h"
#include "sim/report/text/text_table.h"

namespace ipusim::parallel {

namespace {

Json overflowJson(const ParallelPrediction& prediction) {
  if (const auto& overflow = prediction.streaming_overflow) {
    return {{"streaming_memory_of_ipus", {overflow->first_ipu, overflow->last_ipu}},
            {"needed_bytes", overflow->needed.value()},
            {"capacity_bytes", overflow->capacity.value()}};
  }
  const StagePrediction* stage = prediction.firstOverflow();
  if (stage == nullptr) return nullptr;
  const StageOverflow& overflow = *stage->cost.overflow;
  Json json = {{"stage", stage - prediction.stages.data()}};
  if (!prediction.phases.empty()) json["phase"] = stage->fullest_phase;
  json["tile"] = overflow.tile;
  json["needed_bytes"] = overflow.needed.value();
  json["capacity_bytes"] = overflow.capacity.value();
  return json;
}

Json timeJson(const IpuTime& time) {
  return {{"compute_seconds", time.compute}, {"exchange_seconds", time.exchange},
          {"links_seconds", time.links},     {"streaming_seconds", time.streaming},
          {"host_seconds", time.host},       {"sync_seconds", time.sync},
          {"bubble_seconds", time.bubble}};
}

Json stageMemoryJson(const StageCost& cost) {
  Json json = memoryJson(cost.held, cost.max_tile_bytes);
  json["streaming_bytes"] = cost.streaming.value();
  return json;
}

/// Of the IPU that holds most, of the fullest tile, and beside the IPUs of a replica.
Json mostMemoryJson(const ParallelPrediction& prediction) {
  Bytes ipu;
  Bytes tile;
  Bytes streaming;
  for (const StagePrediction& stage : prediction.stages) {
    ipu = std::max(ipu, stage.cost.total());
    tile = std::max(tile, stage.cost.max_tile_bytes);
    streaming += stage.cost.streaming;
  }
  return {{"max_ipu_bytes", ipu.value()},
          {"max_tile_bytes", tile.value()},
          {"streaming_bytes", streaming.value()}};
}

Json stageJson(const ParallelTraining& training, const StagePrediction& stage, Bytes collective) {
  Json json = {{"first_module", stage.modules.first},
               {"first_layer", training.network->nameOf(stage.modules.first)},
               {"modules", stage.modules.size()},
               {"stash_depth", stage.stash_depth},
               {"forward_cycles", stage.cost.forward.length.value()},
               {"backward_cycles", stage.cost.backward.length.value()},
               {"update_cycles", stage.cost.update.length.value()},
               {"sent_forward_bytes", stage.cost.sent_forward.value()},
               {"saved_bytes", stage.cost.saved.value()},
               {"gradient_bytes", stage.cost.gradients.value()},
               {"collective_sent_bytes", collective.value()},
               {"time", timeJson(stage.time)},
               {"memory", stageMemoryJson(stage.cost)}};
  if (training.spills) json["spilled_bytes"] = stage.cost.spilled.value();
  return json;
}

Json stepJson(const ParallelPrediction& prediction) {
  const StepParts& parts = prediction.parts;
  return {{"seconds", prediction.step_seconds},
          {"low_seconds", prediction.low_seconds},
          {"high_seconds", prediction.high_seconds},
          {"samples", prediction.samples},
          {"samples_per_second", static_cast<double>(prediction.samples) / prediction.step_seconds},
          {"work_seconds", parts.work},
          {"imbalance_seconds", parts.imbalance},
          {"serial_seconds", parts.serial},
          {"streaming_seconds", parts.streaming},
          {"fill_seconds", parts.fill},
          {"boundaries_seconds", parts.boundaries},
          {"collectives_seconds", parts.collectives},
          {"update_seconds", parts.update},
          {"host_seconds", parts.host},
          {"efficiency", prediction.efficiency()}};
}

/// IPUs that execute phases.
Json phasedIpuJson(const StagePrediction& stage, Bytes collective) {
  return {{"collective_sent_bytes", collective.value()},
          {"fullest_phase", stage.fullest_phase},
          {"time", timeJson(stage.time)},
          {"memory", stageMemoryJson(stage.cost)}};
}

Json spreadJson(const ParallelTraining& training, const ParallelPrediction& prediction) {
  Json json = {{"ipus", training.ipus()},
               {"execution", wordOf(training.execution, kExecutionWords)},
               {"stages", training.stages},
               {"replicas", training.replicas},
               {"micro_batches", training.micro_batches},
               {"pipeline_cycles", prediction.pipeline_cycles},
               {"fill_cycles", prediction.ramp_cycles},
               {"boundary_exchange_seconds", prediction.boundary_seconds}};
  if (training.isPhased()) {
    json["phases"] = training.phased.phases;
    json["io_tiles"] = training.phased.io_tiles;
    json["io_schedule"] = wordOf(training.phased.schedule, kIoScheduleWords);
  }
  return json;
}

}  // namespace

Json parallelJson(const ParallelTraining& training, const ParallelPrediction& prediction) {
  const System& system = training.system;
  Json json = {
      {"schema", kParallelSchema},
      {"tool_version", libraryVersion()},
      {"commit", libraryCommit()},
      {"config", training.config.json()},
      {"machine", {{"name", system.name}, {"ipus", system.ipus}, {"ipu", system.ipu.name}}},
      {"fits", prediction.fits()},
      {"oom", overflowJson(prediction)},
      {"parallel", spreadJson(training, prediction)},
      {"step", stepJson(prediction)},
      {"memory", mostMemoryJson(prediction)},
      {"limit", limitOf(prediction)},
      {"collective",
       {{"method", wordOf(models::CollectiveChoice{models::CollectiveRule::Fixed,
                                                   prediction.collective.method},
                          models::kCollectiveWords)},
        {"exchanges", prediction.collective.exchanges},
        {"seconds", prediction.collective.seconds}}}};
  Json& stages = json["stages"] = Json::array();
  for (std::size_t s = 0; s < prediction.stages.size(); ++s) {
    const Bytes sent = prediction.collective.sent[s];
    const StagePrediction& stage = prediction.stages[s];
    stages.push_back(training.isPhased() ? phasedIpuJson(stage, sent)
                                         : stageJson(training, stage, sent));
  }
  if (training.isPhased()) json["phases"] = phasesJson(prediction);
  if (prediction.energy) json["energy"] = report::energyJson(*prediction.energy);
  if (const auto passes = training.network->passes(); !passes.empty()) json["passes"] = passes;
  if (const auto warnings = training.warnings(); !warnings.empty()) json["warnings"] = warnings;
  json["engine"] = {{"kind", ipusim::nameOf(prediction.engine)},
                    {"programs_simulated", prediction.programs}};
  return json;
}

namespace {

std::string batchesText(std::uint64_t count) {
  return count == 1 ? "1 micro-batch" : fmt::format("{} micro-batches", report::countText(count));
}

/// How the IPUs of a replica share the work, such as "4 stages".
std::string executionText(const ParallelTraining& training) {
  switch (training.execution) {
    case Execution::Pipelined:
      break;
    case Execution::Sharded:
      return report::countOf(training.stages, "shard");
    case Execution::Phased:
      return fmt::format("{} on {}", report::countOf(training.phased.phases, "phase"),
                         report::countOf(training.stages, "IPU"));
  }
  return report::countOf(training.stages, "stage");
}

/// How often the IPUs of a replica take turns in a step.
std::string turnsText(const ParallelTraining& training, const ParallelPrediction& prediction) {
  switch (training.execution) {
    case Execution::Pipelined:
      break;
    case Execution::Sharded:
      return "one shard at a time";
    case Execution::Phased:
      return report::countOf(prediction.phases.size(), "phase") + ", forward and back";
  }
  return report::countOf(prediction.pipeline_cycles, "pipeline cycle");
}

std::string placeText(const ParallelPrediction& prediction, const StagePrediction& stage) {
  if (!prediction.phases.empty()) return nameOf(prediction, stage.fullest_phase);
  return fmt::format("Stage {}", &stage - prediction.stages.data());
}

std::string titleText(const ParallelTraining& training, const ParallelPrediction& prediction) {
  std::string text = fmt::format(
      "{} of {}: {} x {}, {}, {} per step, {}\n\n", report::countOf(training.ipus(), "IPU"),
      training.system.name, report::countOf(training.replicas, "replica"), executionText(training),
      batchesText(training.micro_batches), report::secondsText(prediction.step_seconds),
      report::bandText(prediction.low_seconds, prediction.high_seconds));
  if (const StagePrediction* stage = prediction.firstOverflow()) {
    const StageOverflow& overflow = *stage->cost.overflow;
    text += fmt::format("MEMORY    {} DOES NOT FIT: tile {} needs {} of {}{}.\n\n",
                        placeText(prediction, *stage), overflow.tile,
                        report::bytesText(overflow.needed), report::bytesText(overflow.capacity),
                        overflow.is_code ? " for code" : "");
  }
  if (const auto& overflow = prediction.streaming_overflow) {
    text += fmt::format(
        "MEMORY    The streaming memory of IPUs {} to {} DOES NOT HOLD their data: they need {} of "
        "{}.\n\n",
        overflow->first_ipu, overflow->last_ipu, report::bytesText(overflow->needed),
        report::bytesText(overflow->capacity));
  }
  for (const std::string& warning : training.warnings()) {
    text += report::wrapped("WARNING", {warning}) + '\n';
  }
  std::vector<std::string> passes;
  for (const auto& [pass, times] : training.network->passes()) {
    passes.push_back(fmt::format("{} ({})", pass, times));
  }
  if (!passes.empty()) text += report::wrapped("PASSES", passes) + '\n';
  return text;
}

std::string stepText(const ParallelTraining& training, const ParallelPrediction& prediction) {
  const StepParts& parts = prediction.parts;
  std::string text =
      fmt::format("STEP      {} samples, {} samples/s, {}\n", report::countText(prediction.samples),
                  report::countText(static_cast<std::uint64_t>(
                      static_cast<double>(prediction.samples) / prediction.step_seconds)),
                  turnsText(training, prediction));
  const std::array<std::pair<const char*, double>, 9> rows = {
      {{"work on micro-batches", parts.work},
       {"unequal stages", parts.imbalance},
       {"waiting for a turn", parts.serial},
       {"streaming memory", parts.streaming},
       {"filling and flushing", parts.fill},
       {"exchanges between stages", parts.boundaries},
       {"exchanges of gradients", parts.collectives},
       {"update on the chip", parts.update},
       {"host", parts.host}}};
  constexpr int kBarWidth = 24;
  report::TextTable table({{26, report::Align::Left}, {10}, {8}, {0, report::Align::Left}});
  for (const auto& [name, seconds] : rows) {
    if (seconds <= 0) continue;
    const double share = seconds / prediction.step_seconds;
    table.add({name, report::secondsText(seconds), report::percentText(share),
               "   " + report::bar(share, kBarWidth)});
  }
  return text + table.text() + "\n";
}

/// A column of stages, and `columns` of figures.
std::vector<report::TextColumn> stageColumns(std::size_t stage_width, std::size_t columns) {
  std::vector<report::TextColumn> all(1 + columns, {10});
  all.front() = {stage_width, report::Align::Left};
  return all;
}

std::string timeText(const ParallelPrediction& prediction) {
  report::TextTable table(stageColumns(6, 7));
  table.add({"stage", "compute", "exchange", "links", "streaming", "host", "sync", "bubble"});
  for (std::size_t s = 0; s < prediction.stages.size(); ++s) {
    const IpuTime& time = prediction.stages[s].time;
    std::vector<std::string> cells{std::to_string(s)};
    for (const double seconds : {time.compute, time.exchange, time.links, time.streaming, time.host,
                                 time.sync, time.bubble}) {
      cells.push_back(report::percentText(seconds / time.sum()));
    }
    table.add(std::move(cells));
  }
  return "TIME OF AN IPU\n" + table.text() + "\n";
}

std::string memoryText(const ParallelPrediction& prediction) {
  const bool streams =
      std::any_of(prediction.stages.begin(), prediction.stages.end(),
                  [](const StagePrediction& stage) { return stage.cost.streaming > Bytes(0); });
  std::vector<std::string> cells{"stage",   "weights", "gradients", "state", "stash",
                                 "buffers", "working", "code",      "total"};
  if (streams) cells.emplace_back("streaming");
  report::TextTable table(stageColumns(5, cells.size() - 1));
  table.add(std::move(cells));
  for (std::size_t s = 0; s < prediction.stages.size(); ++s) {
    const StageCost& cost = prediction.stages[s].cost;
    cells = {std::to_string(s)};
    for (const Bytes bytes : cost.held) cells.push_back(report::bytesText(bytes));
    cells.push_back(report::bytesText(cost.total()));
    if (streams) cells.push_back(report::bytesText(cost.streaming));
    table.add(std::move(cells));
  }
  return "MEMORY OF AN IPU\n" + table.text() + "\n";
}

}  // namespace

std::string parallelText(const ParallelTraining& training, const ParallelPrediction& prediction) {
  const std::string phases = training.isPhased() ? phasesText(prediction) : "";
  return titleText(training, prediction) + stepText(training, prediction) + phases +
         timeText(prediction) + memoryText(prediction) +
         (prediction.energy ? report::energyText(*prediction.energy) + "\n" : "") + "LIMIT     " +
         limitOf(prediction) + "\n";
}

}  // namespace ipusim::parallel
