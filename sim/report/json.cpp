// SPDX-License-Identifier: Apache-2.0
#include "sim/report/json.h"

#include <nlohmann/json.hpp>

#include "base/text/json.h"
#include "ipusim/version.h"
#include "sim/report/memory_json.h"
#include "sim/report/text/activity.h"
#include "sim/report/text/advice_table.h"
#include "sim/report/text/costs.h"

namespace ipusim::report {

namespace {

constexpr int kJsonIndent = 2;
constexpr double kJsonGiga = 1e9;

Json number(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json machineJson(const MachineResult& machine) {
  return {{"name", machine.name},
          {"tiles", machine.tiles},
          {"sram_per_tile_bytes", machine.sram_per_tile.value()},
          {"total_sram_bytes", machine.totalSram().value()},
          {"clock_hz", machine.clock_hz}};
}

Json graphJson(const GraphCounts& graph) {
  return {{"variables", graph.variables},
          {"vertices", graph.vertices},
          {"edges", graph.edges},
          {"compute_sets", graph.compute_sets},
          {"exchanges", graph.exchanges}};
}

Json inUseJson(const TilesInUse& in_use) {
  return {{"tiles", in_use.tiles},
          {"compute_cycles", in_use.compute.value()},
          {"exchange_cycles", in_use.exchange.value()},
          {"sync_cycles", in_use.sync.value()},
          {"host_cycles", in_use.host.value()},
          {"streaming_cycles", in_use.streaming.value()}};
}

Json timeJson(const run::RunResult& result) {
  const TimeResult& time = result.time;
  const run::Uncertainty& uncertainty = result.uncertainty;
  Json json = {{"cycles", time.cycles.value()},          {"seconds", time.seconds},
               {"low_seconds", uncertainty.low_seconds}, {"high_seconds", uncertainty.high_seconds},
               {"compute_cycles", time.compute.value()}, {"exchange_cycles", time.exchange.value()},
               {"sync_cycles", time.sync.value()},       {"host_cycles", time.host.value()}};
  if (time.streaming > Cycles(0)) json["streaming_cycles"] = time.streaming.value();
  if (result.in_use) json["in_use"] = inUseJson(*result.in_use);
  return json;
}

Json linkJson(const LinkResult& link, const TimeResult& time) {
  const auto busy = static_cast<double>(link.busy.value());
  return {{"from_ipu", link.from},
          {"to_ipu", link.to},
          {"links", link.links},
          {"bytes", link.bytes.value()},
          {"busy_cycles", link.busy.value()},
          {"share_of_time", busy / static_cast<double>(time.cycles.value())}};
}

Json ipuJson(const IpuResult& ipu) {
  return {{"program", ipu.program},
          {"compute_cycles", ipu.compute.value()},
          {"exchange_cycles", ipu.exchange.value()},
          {"links_cycles", ipu.links.value()},
          {"sync_cycles", ipu.sync.value()},
          {"host_cycles", ipu.host.value()},
          {"total_bytes", ipu.memory.value()},
          {"max_tile_bytes", ipu.max_tile_bytes.value()},
          {"max_tile", ipu.max_tile}};
}

Json systemJson(const SystemResult& system, const TimeResult& time) {
  Json json = {{"ipus", system.ipus.size()},  {"tiles_per_ipu", system.tiles_per_ipu},
               {"programs", system.programs}, {"links_cycles", time.links.value()},
               {"per_ipu", Json::array()},    {"links", Json::array()}};
  for (const IpuResult& ipu : system.ipus) json["per_ipu"].push_back(ipuJson(ipu));
  for (const LinkResult& link : system.links) json["links"].push_back(linkJson(link, time));
  return json;
}

Json uncertaintyJson(const run::Uncertainty& uncertainty) {
  constexpr double kPercent = 100;
  Json json = {{"kind", uncertainty.kind},
               {"rows", uncertainty.rows},
               {"spread_percent", kPercent * uncertainty.spread},
               {"constants_percent", kPercent * uncertainty.constants}};
  if (uncertainty.near_rows) json["near_rows"] = *uncertainty.near_rows;
  if (!uncertainty.wider_because.empty()) json["wider_because"] = uncertainty.wider_because;
  if (uncertainty.links_share) {
    json["links_share"] = *uncertainty.links_share;
    json["links_spread_percent"] = kPercent * uncertainty.links_spread;
  }
  return json;
}

Json workJson(const WorkResult& work) {
  Json json = {{"flops", work.flops.value()}};
  json["gflops_per_second"] = nullptr;
  if (work.flops_per_second) json["gflops_per_second"] = *work.flops_per_second / kJsonGiga;
  json["peak_fraction"] = number(work.peak_fraction);
  if (!work.peak_units.empty()) json["peak_units"] = work.peak_units;
  if (!work.nonzero_flops) return json;
  json["nonzero_flops"] = work.nonzero_flops->value();
  json["nonzero_gflops_per_second"] = nullptr;
  if (work.nonzero_flops_per_second) {
    json["nonzero_gflops_per_second"] = *work.nonzero_flops_per_second / kJsonGiga;
  }
  return json;
}

Json planJson(const workloads::PlanSummary& plan) {
  Json json = Json::object();
  for (const auto& [key, value] : plan.choices) json[key] = value;
  for (const auto& [key, value] : plan.partition) json[key] = value;
  json["estimated_cycles"] = plan.estimated_cycles.value();
  return json;
}

Json modelJson(const workloads::ModelSummary& model) {
  return {{"parameters", model.count()},
          {"dense_parameters", model.dense_parameters},
          {"compression_ratio", model.compressionRatio()}};
}

Json tilingJson(const std::optional<gpu::Tiling>& tiling) {
  if (!tiling) return nullptr;
  return {{"rows", tiling->rows},
          {"columns", tiling->columns},
          {"split", tiling->split},
          {"blocks", tiling->blocks},
          {"waves", tiling->waves}};
}

/// Adds to `json` where the time goes.
void addBreakdown(const gpu::Breakdown& time, Json& json) {
  json["bound"] = nameOf(time.bound);
  json["compute_seconds"] = time.compute_seconds;
  json["load_pipe_seconds"] = time.load_pipe_seconds;
  json["l2_seconds"] = time.l2_seconds;
  json["dram_seconds"] = time.dram_seconds;
  json["launch_seconds"] = time.launch_seconds;
  json["combine_seconds"] = time.combine_seconds;
  json["framework_seconds"] = time.framework_seconds;
  json["device_seconds"] = time.device_seconds;
  json["host_seconds"] = time.host_seconds;
  json["tile"] = tilingJson(time.tiling);
}

Json gpuJson(const std::optional<run::GpuResult>& result, gpu::Host host) {
  if (!result) return nullptr;
  Json json = {{"seconds", nullptr}};
  if (result->time) json["seconds"] = result->time->seconds;
  if (result->uncertainty) {
    json["low_seconds"] = result->uncertainty->low_seconds;
    json["high_seconds"] = result->uncertainty->high_seconds;
    json["uncertainty"] = uncertaintyJson(*result->uncertainty);
  }
  json["gflops_per_second"] = nullptr;
  if (result->flops_per_second) json["gflops_per_second"] = *result->flops_per_second / kJsonGiga;
  json["speedup_of_ipu"] = number(result->speedup_of_ipu);
  if (result->over_dense) json["over_dense"] = *result->over_dense;
  if (result->at_most_joules) json["at_most_joules"] = *result->at_most_joules;
  json["fits"] = result->memory.fits();
  json["required_bytes"] = result->memory.required.value();
  json["available_bytes"] = result->memory.available.value();
  json["host"] = nameOf(host);
  if (result->time) addBreakdown(*result->time, json);
  return json;
}

Json stepJson(const StepResult& step) {
  Json json = {{"name", step.name},
               {"kind", nameOf(step.kind)},
               {"iterations", step.iterations},
               {"cycles", step.cycles.value()},
               {"max_tile", step.max_tile},
               {"mean_cycles", step.mean_cycles},
               {"start_cycles", step.start.value()},
               {"end_cycles", step.end.value()}};
  switch (step.kind) {
    case StepKind::Compute:
    case StepKind::OnTileCopy:
      json["compute_cycles"] = step.cycles.value();
      json["vertices"] = step.vertices;
      break;
    case StepKind::Exchange:
    case StepKind::GlobalExchange:
      json["exchange"] = {{"bytes", step.exchange.bytes.value()},
                          {"max_tile_bytes", step.exchange.max_tile_bytes.value()},
                          {"messages", step.exchange.messages}};
      break;
    case StepKind::HostCopy:
      json["host"] = {{"bytes", step.host.value()}};
      break;
    case StepKind::RemoteEnd:
      json["remote"] = {{"bytes", step.remote.value()}};
      break;
    case StepKind::RemoteBegin:
    case StepKind::Sync:
      break;
  }
  json["live_bytes"] = step.live.value();
  if (step.measured) json["measured"] = true;
  json["activity"] = stepActivityJson(step.activity);
  return json;
}

/// The program tree as JSON: a step is its number, and a loop is an object.
Json programJson(const std::vector<ProgramNode>& nodes) {
  Json json = Json::array();
  for (const ProgramNode& node : nodes) {
    if (const auto* const loop = std::get_if<ProgramLoop>(&node)) {
      json.push_back({{"iterations", loop->iterations}, {"body", programJson(loop->body)}});
    } else {
      json.push_back(std::get<std::uint32_t>(node));
    }
  }
  return json;
}

Json engineJson(const EngineResult& engine, Stats stats) {
  Json json = {{"kind", nameOf(engine.kind)},
               {"iterations_simulated", engine.iterations_simulated},
               {"tile_steps", engine.tile_steps}};
  if (stats == Stats::Without) return json;
  json["wall_seconds"] = engine.wall_seconds;
  json["tile_steps_per_second"] = static_cast<double>(engine.tile_steps) / engine.wall_seconds;
  return json;
}

Json layerJson(const run::LayerResult& layer) {
  Json json = {{"name", layer.name},
               {"kind", layer.kind},
               {"parameters", layer.parameters},
               {"forward_flops", layer.forward_flops.value()},
               {"forward_cycles", layer.forward.value()},
               {"backward_cycles", layer.backward.value()},
               {"update_cycles", layer.update.value()},
               {"compute_cycles", layer.compute.value()},
               {"movement_cycles", layer.movement.value()}};
  if (layer.program) {
    const run::LayerProgram& program = *layer.program;
    json["program"] = {{"same_as", nullptr},
                       {"fits", program.fits},
                       {"max_tile_bytes", program.max_tile_bytes.value()},
                       {"total_bytes", program.total_bytes.value()},
                       {"operand_bytes", program.operands.value()},
                       {"cycles", program.cycles.value()},
                       {"seconds", program.seconds}};
    if (!program.same_as.empty()) json["program"]["same_as"] = program.same_as;
  }
  if (layer.gpu) {
    json["gpu_seconds"] = layer.gpu->seconds;
    if (layer.gpu->tf32_seconds) json["gpu_tf32_seconds"] = *layer.gpu->tf32_seconds;
  }
  return json;
}

Json separateJson(const run::SeparateResult& separate) {
  return {{"layers", separate.layers},         {"programs", separate.programs},
          {"rounds", separate.rounds},         {"layers_too_large", separate.do_not_fit},
          {"fullest_layer", separate.fullest}, {"operand_bytes", separate.operands.value()}};
}

}  // namespace

Json trainingJson(const run::TrainingResult& training) {
  return {{"steps", training.steps},
          {"epochs", training.epochs},
          {"step_seconds", training.step_seconds},
          {"host_step_seconds", training.host_step_seconds},
          {"seconds", training.seconds}};
}

Json compressionJson(const run::CompressionResult& compression) {
  const workloads::CompressionSummary& summary = compression.summary;
  Json json = {{"saved_bytes", summary.saved_after.value()},
               {"plain_saved_bytes", summary.saved_before.value()},
               {"ratio", summary.ratio()},
               {"metadata_bytes", summary.metadata.value()},
               {"constant_bytes", summary.constants.value()},
               {"encode_cycles", compression.encode.value()},
               {"decode_cycles", compression.decode.value()},
               {"encode_bytes_per_second", number(compression.encode_bytes_per_second)},
               {"decode_bytes_per_second", number(compression.decode_bytes_per_second)}};
  Json& tensors = json["tensors"] = Json::array();
  for (const auto& tensor : summary.tensors) {
    tensors.push_back({{"name", tensor.name},
                       {"bytes", tensor.before.value()},
                       {"code_bytes", tensor.after.value()}});
  }
  return json;
}

Json denseJson(const run::DenseResult& dense) {
  return {{"fits", dense.fits},
          {"parameters", dense.parameters},
          {"graph", graphJson(dense.graph)},
          {"total_bytes", dense.total_bytes.value()},
          {"max_tile_bytes", dense.max_tile_bytes.value()},
          {"cycles", dense.cycles.value()},
          {"seconds", dense.seconds},
          {"speedup", number(dense.speedup)},
          {"memory_ratio", number(dense.memory_ratio)}};
}

Json layersJson(const std::vector<run::LayerResult>& layers) {
  Json json = Json::array();
  for (const run::LayerResult& layer : layers) json.push_back(layerJson(layer));
  return json;
}

Json compareJson(const run::CompareResult& compare) {
  if (compare.half) return {{compare.gpu + "_half", gpuJson(compare.half, compare.host)}};
  return {{compare.gpu, gpuJson(compare.fp32, compare.host)},
          {compare.gpu + "_tf32", gpuJson(compare.tf32, compare.host)}};
}

Json toJson(const run::RunResult& result, Stats stats) {
  Json json = {{"schema", kSchema},
               {"tool_version", libraryVersion()},
               {"commit", libraryCommit()},
               {"config", result.config.json()},
               {"machine", machineJson(result.machine)},
               {"graph", graphJson(result.graph)},
               {"fits", result.fits()},
               {"oom", oomJson(result)},
               {"memory", memoryJson(result)},
               {"time", timeJson(result)},
               {"uncertainty", uncertaintyJson(result.uncertainty)},
               {"work", workJson(result.work)},
               {"activity", activityJson(result.activity)}};
  addCosts(result, json);
  if (result.better_size) json["better_size"] = changeJson(*result.better_size);
  if (result.advice) json["advice"] = adviceJson(*result.advice);
  if (result.system) json["system"] = systemJson(*result.system, result.time);
  if (result.plan) json["plan"] = planJson(*result.plan);
  if (result.model) json["model"] = modelJson(*result.model);
  if (result.training) json["training"] = trainingJson(*result.training);
  if (result.compression) json["compression"] = compressionJson(*result.compression);
  for (const workloads::PassSummary& pass : result.passes) json["passes"][pass.name] = pass.times;
  if (result.dense) json["dense"] = denseJson(*result.dense);
  if (result.compare) json["compare"] = compareJson(*result.compare);
  if (!result.warnings.empty()) json["warnings"] = result.warnings;
  if (result.separate) json["separate"] = separateJson(*result.separate);
  if (!result.layers.empty()) json["layers"] = layersJson(result.layers);
  json["program"] = programJson(result.program);
  Json& steps = json["steps"] = Json::array();
  for (const StepResult& step : result.steps) steps.push_back(stepJson(step));
  addStepCosts(result, steps);
  json["engine"] = engineJson(result.engine, stats);
  return json;
}

std::string jsonText(const run::RunResult& result, Stats stats) {
  // An ONNX file may have names of any bytes, but JSON is UTF-8.
  return toJson(result, stats).dump(kJsonIndent, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace ipusim::report
