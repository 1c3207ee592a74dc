// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/costs.h"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/text/json.h"
#include "models/ipu/energy/price.h"
#include "sim/report/text/text_layout.h"

namespace ipusim::report {

namespace {

constexpr double kHundred = 100;
/// Parts below this share of the energy are left out of the table.
constexpr double kShownShare = 0.005;

/// One number per draw, with blanks between: a scalar, so that sweeps keep it.
std::string drawsText(const std::vector<double>& draws) {
  std::string text;
  for (const double draw : draws) {
    text += fmt::format("{}{:.6g}", text.empty() ? "" : " ", draw);
  }
  return text;
}

Json areaJson(const energy::AreaResult& area) {
  Json json = {{"die_mm2", rough(area.die_mm2)},
               {"low_die_mm2", rough(area.low_die_mm2)},
               {"high_die_mm2", rough(area.high_die_mm2)},
               {"tile_mm2", rough(area.tile_mm2)},
               {"larger_than_reticle", area.larger_than_reticle},
               {"by_part", Json::object()}};
  for (std::size_t p = 0; p < energy::kAreaParts; ++p) {
    json["by_part"][fmt::format("{}_mm2", nameOf(static_cast<energy::AreaPart>(p)))] =
        rough(area.by_part[p]);
  }
  json["die_mm2_draws"] = drawsText(area.draws);
  return json;
}

Json byPartJson(const energy::EnergyByPart& parts) {
  Json json = Json::object();
  for (std::size_t p = 0; p < energy::kEnergyParts; ++p) {
    if (parts[p] <= 0) continue;
    json[fmt::format("{}_joules", nameOf(static_cast<energy::EnergyPart>(p)))] = rough(parts[p]);
  }
  return json;
}

std::string areaText(const energy::AreaResult& area) {
  std::vector<std::string> items = {fmt::format("rough: a die of {:.0f} mm2 [{:.0f}, {:.0f}]",
                                                area.die_mm2, area.low_die_mm2, area.high_die_mm2)};
  for (std::size_t p = 0; p < energy::kAreaParts; ++p) {
    items.push_back(
        fmt::format("{} {:.0f}", nameOf(static_cast<energy::AreaPart>(p)), area.by_part[p]));
  }
  if (area.larger_than_reticle) items.emplace_back("LARGER THAN A RETICLE: no such chip is made");
  return wrapped("AREA", items);
}

}  // namespace

Json energyJson(const run::RunEnergy& energy) {
  Json json = {{"joules", rough(energy.joules)},
               {"low_joules", rough(energy.low_joules)},
               {"high_joules", rough(energy.high_joules)},
               {"watts", rough(energy.watts)},
               {"picojoules_per_flop", nullptr},
               {"priors_only_joules", rough(energy.priors_only_joules)},
               {"by_part", byPartJson(energy.by_part)}};
  if (energy.picojoules_per_flop) json["picojoules_per_flop"] = rough(*energy.picojoules_per_flop);
  json["joules_draws"] = drawsText(energy.draws);
  if (energy.per_sample) {
    json["joules_per_sample"] = rough(energy.per_sample->joules);
    json["joules_per_sample_draws"] = drawsText(energy.per_sample->draws);
  }
  return json;
}

std::string energyText(const run::RunEnergy& energy) {
  std::vector<std::string> items = {fmt::format("rough: {:.3g} J [{:.3g}, {:.3g}]", energy.joules,
                                                energy.low_joules, energy.high_joules),
                                    fmt::format("{:.0f} W", energy.watts)};
  if (energy.picojoules_per_flop) {
    items.push_back(fmt::format("{:.3g} pJ/FLOP", *energy.picojoules_per_flop));
  }
  if (energy.per_sample && energy.per_sample->joules < energy.joules) {
    items.push_back(fmt::format("{:.3g} J a sample", energy.per_sample->joules));
  }
  const auto percent = [&](double joules) {
    return fmt::format("{:.0f} %", kHundred * joules / energy.joules);
  };
  for (std::size_t p = 0; p < energy::kEnergyParts; ++p) {
    if (energy.by_part[p] < kShownShare * energy.joules) continue;
    const auto part = static_cast<energy::EnergyPart>(p);
    items.push_back(fmt::format("{} {}{}", words(nameOf(part)), percent(energy.by_part[p]),
                                energy::isIdentified(part) ? "" : "*"));
  }
  items.push_back(fmt::format("{} of it (*) by priors only", percent(energy.priors_only_joules)));
  return wrapped("ENERGY", items);
}

double rough(double value) {
  return std::strtod(fmt::format("{:.3e}", value).c_str(), nullptr);
}

void addCosts(const run::RunResult& result, Json& json) {
  if (!result.unpriced.empty()) json["not_priced"] = result.unpriced;
  if (result.energy) json["energy"] = energyJson(*result.energy);
  if (result.area) json["area"] = areaJson(*result.area);
}

void addStepCosts(const run::RunResult& result, Json& steps) {
  if (!result.energy) return;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    steps[s]["joules"] = rough(result.energy->ofStep(s));
  }
}

std::string costsText(const run::RunResult& result) {
  if (!result.unpriced.empty()) return wrapped("ENERGY", {result.unpriced});
  const std::string energy = result.energy ? energyText(*result.energy) : "";
  return result.area ? energy + areaText(*result.area) : energy;
}

}  // namespace ipusim::report
