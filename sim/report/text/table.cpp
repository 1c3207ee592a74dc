// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

#include "base/text/message.h"
#include "sim/report/text/advice_table.h"
#include "sim/report/text/colours.h"
#include "sim/report/text/costs.h"
#include "sim/report/text/layer_table.h"
#include "sim/report/text/memory_table.h"
#include "sim/report/text/quantity.h"
#include "sim/report/text/step_table.h"
#include "sim/report/text/system_table.h"
#include "sim/report/text/text_layout.h"
#include "sim/report/text/text_table.h"

namespace ipusim::report {

namespace {

constexpr int kTableBarWidth = 24;
constexpr double kTableGiga = 1e9;
constexpr std::size_t kMostWarnings = 5;
constexpr std::size_t kLongestMachine = 20;
constexpr std::size_t kTableLongestText = 30;  // of text that the user chose
constexpr std::size_t kTableCyclesWidth = 14;

double shareOf(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

double shareOf(std::uint64_t part, std::uint64_t whole) {
  return shareOf(static_cast<double>(part), static_cast<double>(whole));
}

/// Such as "0.419 ms ± 4 %".
std::string timeWithBand(double seconds, const run::Uncertainty& band) {
  return secondsText(seconds) + ' ' + bandText(band.low_seconds, band.high_seconds);
}

/// The parameters of the workload, such as "m = 2048".
std::vector<std::string> parameterItems(const run::RunResult& result) {
  std::vector<std::string> items;
  for (const auto& [key, value] : result.parameters) {
    items.push_back(
        fmt::format("{} = {}", oneLine(key, kTableLongestText), oneLine(value, kTableLongestText)));
  }
  return items;
}

/// The time that a measurement of the whole would have: that of a training includes its host.
std::string headlineTime(const run::RunResult& result) {
  std::string chip = timeWithBand(result.time.seconds, result.uncertainty);
  if (!result.training || result.training->host_step_seconds <= 0) return chip;
  return fmt::format("{} of training, on the chip {}", secondsText(result.training->seconds), chip);
}

/// The rate of what is computed, which is held against the peak: no element that is zero counts.
std::string headlineRate(const WorkResult& work) {
  return rateText(work.nonzero_flops_per_second.value_or(*work.flops_per_second));
}

std::string titleText(const run::RunResult& result) {
  const MachineResult& machine = result.machine;
  std::string title =
      fmt::format("{} on {}: {}, {}", result.workload, oneLine(machine.name, kLongestMachine),
                  result.fits() ? "it fits" : "it DOES NOT FIT", headlineTime(result));
  if (result.work.flops_per_second && result.work.flops > Flops(0)) {
    title += ", " + headlineRate(result.work);
  }
  const std::string size =
      fmt::format("{} of {}", countOf(machine.tiles, "tile"), bytesText(machine.sram_per_tile));
  return title + '\n' + wrapped("", parameterItems(result)) +
         wrapped("", {size, clockText(machine.clock_hz)}) + '\n';
}

/// The time, with the parts of tiles in use where others do nothing but wait: these would drown
/// what the program does.
TimeResult shownTime(const run::RunResult& result) {
  TimeResult time = result.time;
  if (!result.in_use) return time;
  time.compute = result.in_use->compute;
  time.exchange = result.in_use->exchange;
  time.sync = result.in_use->sync;
  time.host = result.in_use->host;
  time.streaming = result.in_use->streaming;
  return time;
}

std::string timeText(const run::RunResult& result) {
  const TimeResult time = shownTime(result);
  const std::string who =
      result.in_use ? fmt::format("mean of the {} in use", countOf(result.in_use->tiles, "tile"))
                    : "a tile spends on average";
  std::string text = fmt::format("TIME      {} cycles = {}; {}\n", countText(time.cycles.value()),
                                 secondsText(time.seconds), who);
  TextTable table({{26, Align::Left}, {14}, {8}, {0, Align::Left}});
  const auto row = [&](const char* name, Cycles cycles) {
    const double share = shareOf(cycles.value(), time.cycles.value());
    table.add({name, countText(cycles.value(), kTableCyclesWidth), percentText(share),
               "   " + bar(share, kTableBarWidth)});
  };
  row("compute", time.compute);
  row("exchange", time.exchange);
  if (time.links > Cycles(0)) row("links to other IPUs", time.links);
  row("sync, waiting for others", time.sync);
  if (time.host > Cycles(0)) row("host", time.host);
  if (time.streaming > Cycles(0)) row("streaming memory", time.streaming);
  text += table.text();
  const auto measured = static_cast<std::uint64_t>(
      std::count_if(result.steps.begin(), result.steps.end(),
                    [](const StepResult& step) { return step.measured; }));
  if (measured > 0) {
    text += fmt::format("  What {} of {} takes was measured and is not predicted.\n",
                        countOf(measured, "step"), result.steps.size());
  }
  return text + '\n';
}

/// Why the band is wide, where no near rows were measured. Nothing for a run without a time.
std::string bandReasonText(const run::RunResult& result) {
  const run::Uncertainty& band = result.uncertainty;
  if (band.wider_because.empty() || result.time.cycles == Cycles(0)) return "";
  std::vector<std::string> items;
  std::istringstream reasons(band.wider_because);
  for (std::string item; std::getline(reasons >> std::ws, item, ',');) items.push_back(item);
  items.emplace_back("so that it is wide");
  return wrapped("BAND", items);
}

/// Workloads differ in units and in types, so each is held against a peak of its own.
std::string peakText(const WorkResult& work) {
  const double rate = work.nonzero_flops_per_second.value_or(work.flops_per_second.value_or(0));
  const std::string units = work.peak_units.empty() ? "units without a name" : work.peak_units;
  const double fraction = *work.peak_fraction;
  if (fraction <= 0) return fmt::format("0 % of the peak of {}", units);
  return fmt::format("{} of {}, the peak of {}", percentText(fraction), rateText(rate / fraction),
                     units);
}

std::string workLine(const run::RunResult& result) {
  const WorkResult& work = result.work;
  if (work.flops == Flops(0)) return "";
  std::vector<std::string> items = {workText(work.flops)};
  if (work.nonzero_flops) items.front() += " of the dense product";
  if (work.flops_per_second) items.push_back(rateText(*work.flops_per_second));
  if (work.nonzero_flops) {
    items.push_back(workText(*work.nonzero_flops) + " on elements that are not zero");
  }
  if (work.nonzero_flops_per_second) items.push_back(rateText(*work.nonzero_flops_per_second));
  if (work.peak_fraction) {
    items.push_back(peakText(result.work));
  }
  return wrapped("WORK", items);
}

/// What the planner's estimate is of the predicted time. An estimate outside the band of that time
/// is flagged: the planner chose among plans whose costs it did not see well.
std::string estimateText(Cycles estimated, const run::RunResult& result) {
  const double ratio =
      static_cast<double>(estimated.value()) / static_cast<double>(result.time.cycles.value());
  const double seconds = ratio * result.time.seconds;
  const run::Uncertainty& band = result.uncertainty;
  const bool is_outside = seconds < band.low_seconds || seconds > band.high_seconds;
  return fmt::format("{:.3g} of what the program takes{}", ratio,
                     is_outside ? ": outside its band; another plan may be better" : "");
}

std::string planText(const workloads::PlanSummary& plan, const run::RunResult& result) {
  std::vector<std::string> items;
  for (const auto& [key, value] : plan.choices) items.push_back(words(key) + " " + value);
  for (const auto& [key, value] : plan.partition) {
    items.push_back(fmt::format("{} {}", words(key), value));
  }
  items.push_back(fmt::format("estimated at {} cycles", countText(plan.estimated_cycles.value())));
  if (result.time.cycles > Cycles(0)) {
    items.push_back(estimateText(plan.estimated_cycles, result));
  }
  return wrapped("PLAN", items);
}

std::string modelText(const workloads::ModelSummary& model) {
  std::vector<std::string> items = {countOf(model.count(), "parameter")};
  if (model.count() != model.dense_parameters) {
    items.push_back(countText(model.dense_parameters) + " of the dense layer");
    const double fewer = model.compressionRatio();
    items.push_back(percentText(std::abs(fewer)) + (fewer < 0 ? " more" : " fewer"));
  }
  return wrapped("MODEL", items);
}

std::string trainingText(const run::TrainingResult& training) {
  std::vector<std::string> items{
      secondsText(training.seconds),
      countOf(training.epochs, "epoch") + " of " + countOf(training.steps, "step"),
      secondsText(training.step_seconds) + " a step"};
  if (training.host_step_seconds > 0) {
    items.push_back(secondsText(training.host_step_seconds) + " of it the host's");
  }
  return wrapped("TRAINING", items);
}

std::string compressionText(const run::CompressionResult& compression) {
  const workloads::CompressionSummary& summary = compression.summary;
  std::vector<std::string> items{
      fmt::format("{} for the backward pass, {} without codes", bytesText(summary.saved_after),
                  bytesText(summary.saved_before)),
      countOf(summary.tensors.size(), "tensor") + " coded",
      fmt::format("{:.3g} times smaller", summary.ratio()),
      bytesText(summary.metadata) + " of scales and masks",
      bytesText(summary.constants) + " of matrices"};
  const auto add = [&](const char* what, const std::optional<double>& rate) {
    if (rate) items.push_back(fmt::format("{} at {:.3g} GB/s", what, *rate / kTableGiga));
  };
  add("encoded", compression.encode_bytes_per_second);
  add("decoded", compression.decode_bytes_per_second);
  return wrapped("SAVED", items);
}

std::string passesText(const std::vector<workloads::PassSummary>& passes) {
  std::vector<std::string> items;
  for (const workloads::PassSummary& pass : passes) {
    items.push_back(fmt::format("{} ({})", pass.name, pass.times));
  }
  return wrapped("PASSES", items);
}

std::string denseText(const run::DenseResult& dense) {
  std::vector<std::string> items{dense.fits ? secondsText(dense.seconds) : "DOES NOT FIT",
                                 bytesText(dense.total_bytes),
                                 countOf(dense.graph.compute_sets, "compute set")};
  if (dense.speedup) items.push_back(fmt::format("{:.3g} times the time", *dense.speedup));
  if (dense.memory_ratio) {
    items.push_back(fmt::format("{:.3g} times the memory", *dense.memory_ratio));
  }
  return wrapped("DENSE", items);
}

std::vector<std::string> gpuItems(const run::GpuResult& gpu) {
  const gpu::Capacity& memory = gpu.memory;
  if (!gpu.time) {
    return {"DOES NOT FIT", fmt::format("{} of {} needed", bytesText(memory.required),
                                        bytesText(memory.available))};
  }
  const double seconds = gpu.time->seconds;
  std::vector<std::string> items = {gpu.uncertainty ? timeWithBand(seconds, *gpu.uncertainty)
                                                    : secondsText(seconds)};
  if (gpu.flops_per_second) items.push_back(rateText(*gpu.flops_per_second));
  items.push_back(fmt::format("bound by {}", nameOf(gpu.time->bound)));
  if (gpu.uncertainty && gpu.uncertainty->rows == 0) {
    items.emplace_back("no published row checks kernels like these");
  }
  if (gpu.over_dense) items.push_back(fmt::format("{:.3g} times the dense one", *gpu.over_dense));
  if (gpu.speedup_of_ipu) {
    items.push_back(fmt::format("speed-up of the IPU {:.3g}", *gpu.speedup_of_ipu));
  }
  if (gpu.at_most_joules) items.push_back(fmt::format("at most {:.3g} J", *gpu.at_most_joules));
  return items;
}

std::string warningsText(const std::vector<std::string>& warnings) {
  std::string text;
  const std::size_t shown = std::min(warnings.size(), kMostWarnings);
  for (std::size_t w = 0; w < shown; ++w) text += wrapped("WARNING", {warnings[w]});
  const std::size_t left = warnings.size() - shown;
  if (left > 0) text += wrapped("WARNING", {fmt::format("{} more like these, see --json", left)});
  return text.empty() ? text : text + '\n';
}

std::string graphText(const GraphCounts& graph) {
  return wrapped("GRAPH",
                 {countOf(graph.variables, "variable"),
                  countText(graph.vertices) + (graph.vertices == 1 ? " vertex" : " vertices"),
                  countOf(graph.edges, "edge")});
}

std::string engineText(const EngineResult& engine, Stats stats) {
  if (stats == Stats::Without) return "";
  return wrapped("ENGINE", {nameOf(engine.kind), countText(engine.tile_steps) + " tile steps",
                            secondsText(engine.wall_seconds) + " of wall time"});
}

}  // namespace

std::string compareText(const run::CompareResult& compare) {
  const std::string name = oneLine(compare.gpu, kTableLongestText);
  if (!compare.isModelled())
    return wrapped("GPU", {name + ": no kernels are modelled for this workload"});
  const auto line = [&](const char* heading, const std::string& who, const run::GpuResult& result) {
    const std::string host =
        compare.host == gpu::Host::None ? "" : fmt::format(" {}", nameOf(compare.host));
    std::vector<std::string> items = gpuItems(result);
    items.front() = fmt::format("{}{}: {}", who, host, items.front());
    return wrapped(heading, items);
  };
  std::string text =
      compare.half ? line("GPU", name + " half", *compare.half)
                   : line("GPU", name, *compare.fp32) + line("", name + " TF32", *compare.tf32);
  std::vector<std::string> constants;
  for (const auto& [kind, count] : compare.constants) {
    constants.push_back(fmt::format("{} {}", count, kind));
  }
  constants.front() = "constants: " + constants.front();
  return text + wrapped("", constants);
}

std::string tableText(const run::RunResult& result, const TableOptions& options) {
  std::string text = titleText(result);
  text += separateText(result);
  text += memoryText(result, options);
  if (result.advice) text += adviceText(*result.advice, options.width);
  text += timeText(result);
  text += bandReasonText(result);
  if (result.better_size) text += betterSizeText(*result.better_size, result.time.seconds);
  if (result.system) text += systemText(*result.system, result.time);
  text += warningsText(result.warnings);
  text += layersText(result);
  text += stepsText(result, options);
  text += workLine(result);
  if (result.plan) text += planText(*result.plan, result);
  if (result.model) text += modelText(*result.model);
  if (!result.passes.empty()) text += passesText(result.passes);
  if (result.training) text += trainingText(*result.training);
  if (result.compression) text += compressionText(*result.compression);
  if (result.dense) text += denseText(*result.dense);
  if (result.compare) text += compareText(*result.compare);
  text += costsText(result);
  text += graphText(result.graph);
  text += engineText(result.engine, options.stats);
  text = withoutTrailingSpaces(text);
  return options.colours ? coloured(text) : text;
}

}  // namespace ipusim::report
