// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/pipeline/phase_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text/json.h"
#include "sim/parallel/pipeline/memory_json.h"
#include "sim/report/text/quantity.h"
#include "sim/report/text/text_table.h"

namespace ipusim::parallel {

namespace {

/// What takes longest in a phase, whether something else hides it or not.
const char* limitOf(const PhaseCost& cost) {
  const std::array<std::pair<double, const char*>, 3> limits = {
      {{cost.compute + cost.update, "compute"},
       {cost.load + cost.store, "streaming"},
       {cost.rows + cost.collectives, "links"}}};
  return std::max_element(limits.begin(), limits.end(),
                          [](const auto& a, const auto& b) { return a.first < b.first; })
      ->second;
}

Json phaseJson(const PhasePrediction& phase) {
  const PhaseCost& cost = phase.cost;
  return {{"pass", keyOf(phase.phase.kind)},
          {"first_module", phase.modules.first},
          {"modules", phase.modules.size()},
          {"seconds", cost.total()},
          {"compute_seconds", cost.compute},
          {"update_seconds", cost.update},
          {"load_seconds", cost.load},
          {"store_seconds", cost.store},
          {"hidden_seconds", cost.hidden},
          {"exposed_seconds", cost.exposed()},
          {"hand_over_seconds", cost.hand_over},
          {"boundaries_seconds", cost.rows},
          {"collectives_seconds", cost.collectives},
          {"load_bytes", cost.moved.load.value()},
          {"store_bytes", cost.moved.store.value()},
          {"limit", limitOf(cost)},
          {"memory", memoryJson(phase.memory.held, phase.memory.max_tile_bytes)}};
}

std::string modulesText(const workloads::ModuleRange& modules) {
  if (modules.size() == 1) return std::to_string(modules.first);
  return fmt::format("{}-{}", modules.first, modules.last - 1);
}

}  // namespace

Json phasesJson(const ParallelPrediction& prediction) {
  Json phases = Json::array();
  for (const PhasePrediction& phase : prediction.phases) phases.push_back(phaseJson(phase));
  return phases;
}

std::string phasesText(const ParallelPrediction& prediction) {
  using report::Align;
  report::TextTable table({{7, Align::Left},
                           {9, Align::Left},
                           {9, Align::Left},
                           {10},
                           {10},
                           {10},
                           {10},
                           {10},
                           {10},
                           {0, Align::Left}});
  table.add({"phase", "modules", "pass", "compute", "load", "store", "hidden", "exposed", "total",
             "  limit"});
  for (std::size_t p = 0; p < prediction.phases.size(); ++p) {
    const PhasePrediction& phase = prediction.phases[p];
    const PhaseCost& cost = phase.cost;
    std::vector<std::string> cells{std::to_string(p), modulesText(phase.modules),
                                   keyOf(phase.phase.kind)};
    for (const double seconds : {cost.compute + cost.update, cost.load, cost.store, cost.hidden,
                                 cost.exposed(), cost.total()}) {
      cells.push_back(report::secondsText(seconds));
    }
    cells.push_back(std::string("  ") + limitOf(cost));
    table.add(std::move(cells));
  }
  return "PHASES\n" + table.text() + "\n";
}

std::string nameOf(const ParallelPrediction& prediction, std::size_t phase) {
  const PhasePrediction& named = prediction.phases.at(phase);
  return fmt::format("Phase {} ({} of modules {})", phase, keyOf(named.phase.kind),
                     modulesText(named.modules));
}

}  // namespace ipusim::parallel
