// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/engine/profile_energy.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text/json.h"
#include "models/ipu/energy/price.h"
#include "sim/report/text/activity.h"
#include "sim/report/text/costs.h"
#include "sim/run/chip_cost.h"
#include "sim/run/summary/activity.h"
#include "sim/run/summary/summarize.h"

namespace poplar::detail {

namespace {

/// The steps as they were played, and the activity of all that is known before a program runs.
ipusim::Result playedResult(const EngineData& engine) {
  const auto& executable = engine.executable->executable;
  const auto& clock = engine.loaded->clock;
  ipusim::ChipResult measured = clock.result();
  measured.end = ipusim::excess(clock.end(), engine.profile_begin);
  measured.spans.resize(executable.lowered.steps.size());
  for (std::uint32_t t = 0; t < measured.tiles; ++t) {
    measured.finish.push_back(ipusim::excess(clock.now(t), engine.profile_begin));
  }
  ipusim::Result result;
  result.tiles = ipusim::run::summarizeTiles(executable, measured);
  result.time =
      ipusim::run::summarizeTime(result.tiles, measured.end, executable.system.ipu.clock_hz);
  result.steps = ipusim::run::summarizeSteps(executable, measured);
  for (std::size_t s = 0; s < result.steps.size(); ++s) {
    result.steps[s].iterations = clock.plays()[s];
  }
  ipusim::run::addActivity(executable, result);
  return result;
}

}  // namespace

ProfiledEnergy profiledEnergy(const EngineData& engine) {
  ProfiledEnergy profiled;
  profiled.result = playedResult(engine);
  const std::vector<ipusim::Activity>& of_codelets = engine.loaded->codelet_activity.sums();
  for (std::size_t s = 0; s < of_codelets.size(); ++s) {
    profiled.result.steps[s].activity += of_codelets[s];
    profiled.result.activity += of_codelets[s];
  }
  const auto& executable = engine.executable->executable;
  const ipusim::Machine& ipu = executable.system.ipu;
  profiled.unpriced = ipusim::energy::whyUnpriced(ipu);
  if (!profiled.unpriced.empty() || profiled.result.time.cycles == ipusim::Cycles(0)) {
    return profiled;
  }
  profiled.energy = ipusim::run::priceSteps({ipu, engine.state().target.ipus}, profiled.result);
  return profiled;
}

void addEnergy(const ProfiledEnergy& profiled, ipusim::Json& json) {
  json["activity"] = ipusim::report::activityJson(profiled.result.activity);
  if (!profiled.unpriced.empty()) json["not_priced"] = profiled.unpriced;
  if (profiled.energy) json["energy"] = ipusim::report::energyJson(*profiled.energy);
}

std::string energyLines(const ProfiledEnergy& profiled) {
  if (!profiled.unpriced.empty()) return fmt::format("  Energy: {}\n\n", profiled.unpriced);
  if (!profiled.energy) return {};
  const ipusim::run::RunEnergy& energy = *profiled.energy;
  return fmt::format("  {:<52} {:.3g} J [{:.3g}, {:.3g}], {:.0f} W\n\n",
                     "Energy (rough, band of 90%):", energy.joules, energy.low_joules,
                     energy.high_joules, energy.watts);
}

}  // namespace poplar::detail
