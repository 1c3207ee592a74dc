// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text/json.h"
#include "models/ipu/energy/price.h"
#include "sim/report/page/page_data.h"
#include "sim/report/page/run_lengths.h"
#include "sim/report/text/costs.h"

namespace ipusim::report {

namespace {

/// Three digits keep equal tiles in one run, and are more than any constant has.
std::uint64_t microwatts(double joules, double seconds) {
  constexpr double kMicro = 1e-6;
  constexpr double kDigits = 100;
  const double value = joules / seconds / kMicro;
  if (value < kDigits) return static_cast<std::uint64_t>(std::llround(value));
  const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
  return static_cast<std::uint64_t>(std::llround(std::round(value / unit) * unit));
}

/// The parts above zero: [index into `parts`, joules, ...].
Json partsOf(const energy::EnergyByPart& joules,
             const std::array<std::size_t, energy::kEnergyParts>& number) {
  Json parts = Json::array();
  for (std::size_t p = 0; p < energy::kEnergyParts; ++p) {
    if (joules[p] <= 0) continue;
    parts.push_back(number[p]);
    parts.push_back(rough(joules[p]));
  }
  return parts;
}

}  // namespace

Json energyData(const run::RunResult& result) {
  const run::RunEnergy& energy = *result.energy;
  Json data = {{"parts", Json::array()}, {"priors_only", Json::array()}};
  std::array<std::size_t, energy::kEnergyParts> number{};
  for (std::size_t p = 0; p < energy::kEnergyParts; ++p) {
    if (energy.by_part[p] <= 0) continue;
    const auto part = static_cast<energy::EnergyPart>(p);
    number[p] = data["parts"].size();
    data["parts"].push_back(nameOf(part));
    if (!energy::isIdentified(part)) data["priors_only"].push_back(nameOf(part));
  }
  Json& steps = data["step_joules"] = Json::array();
  for (const energy::EnergyByPart& step : energy.by_step) steps.push_back(partsOf(step, number));
  Json& cycles = data["step_tile_cycles"] = Json::array();
  for (const StepResult& step : result.steps) cycles.push_back(step.activity.tile_cycles.value());
  data["tile_microwatts"] = runLengths(
      energy.by_tile, [&](double joules) { return microwatts(joules, result.time.seconds); });
  return data;
}

}  // namespace ipusim::report
