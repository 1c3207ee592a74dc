// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/calibrate/energy/report.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text/message.h"
#include "sim/report/text/text_table.h"
#include "sim/studies/calibrate/calibration.h"
#include "sim/studies/calibrate/toml_text.h"

namespace ipusim::calibrate {

using report::Align;
using report::TextTable;

namespace {

/// Correlations below this are not written.
constexpr double kWeakCorrelation = 0.05;

std::string bandText(const Quantiles& band) {
  return fmt::format("{:.3g} / {:.3g} / {:.3g}", band.low, band.median, band.high);
}

std::string verdictOf(const FittedBand& band) {
  if (!band.isIdentified()) return "refused: no row identifies it, the prior holds";
  const std::string by =
      band.by.empty() ? "all rows together" : fmt::format("{}", fmt::join(band.by, ", "));
  return (band.isWeak() ? "weakly, by " : "by ") + by;
}

std::string energyPercentText(double predicted, double published) {
  return fmt::format("{:+.1f}", 100 * (predicted / published - 1));
}

std::vector<std::string> cellsOf(const PowerRow& row, const PredictedRow& predicted) {
  std::vector<std::string> cells{oneLine(row.id), validate::nameOf(row.role),
                                 fmt::format("{:.4g}", row.published)};
  if (!predicted.why_not.empty()) {
    cells.push_back(predicted.why_not);
    return cells;
  }
  const Quantiles& band = predicted.predicted;
  const bool is_inside = band.low <= row.published && row.published <= band.high;
  cells.push_back(fmt::format("{:.4g}", band.median));
  cells.push_back(fmt::format("[{:.4g}, {:.4g}]", band.low, band.high));
  cells.push_back(energyPercentText(band.median, row.published));
  cells.emplace_back(is_inside ? "inside" : "OUTSIDE");
  if (predicted.left_out) {
    cells.push_back(fmt::format("{} [{:.3g}, {:.3g}]",
                                energyPercentText(predicted.left_out->median, row.published),
                                predicted.left_out->low, predicted.left_out->high));
  }
  return cells;
}

std::string constantsText(const EnergyFit& fit) {
  TextTable table({{28, Align::Left}, {22, Align::Left}, {22, Align::Left}, {5}, {0, Align::Left}},
                  {0, 2});
  table.add({"constant", "prior 5/50/95 %", "posterior 5/50/95 %", "width", "identified"});
  for (const energy::Constant constant : energy::allConstants()) {
    const FittedBand& band = fit.constants[static_cast<std::size_t>(constant)];
    table.add({energy::keyOf(constant), bandText(band.prior), bandText(band.posterior),
               fmt::format("{:.2f}", band.narrowing), verdictOf(band)});
  }
  return table.text();
}

std::string rowsText(const EnergyCalibration& calibration, const EnergyFit& fit) {
  TextTable table({{12, Align::Left},
                   {9, Align::Left},
                   {9},
                   {9},
                   {16, Align::Left},
                   {7},
                   {7, Align::Left},
                   {0, Align::Left}},
                  {0, 2});
  table.add({"row", "role", "published", "median", "band of 90 %", "error %", "", "without it %"});
  for (std::size_t r = 0; r < calibration.rows.size(); ++r) {
    table.add(cellsOf(calibration.rows[r], fit.rows[r]));
  }
  return table.text();
}

std::string correlationsText(const EnergyFit& fit, energy::Constant constant) {
  std::string text;
  for (const energy::Correlation& one : fit.correlations) {
    if (one.one != constant || std::abs(one.value) < kWeakCorrelation) continue;
    text +=
        fmt::format("{}{} = {:.2f}", text.empty() ? "" : ", ", energy::keyOf(one.other), one.value);
  }
  return text.empty() ? text : fmt::format("correlations = {{ {} }}\n", text);
}

}  // namespace

std::string tableText(const EnergyCalibration& calibration, const EnergyFit& fit) {
  std::string text = constantsText(fit) + '\n' + rowsText(calibration, fit) + '\n';
  for (std::size_t l = 0; l < calibration.limits.size(); ++l) {
    const PowerLimit& limit = calibration.limits[l];
    const Quantiles& watts = fit.limits[l];
    text += fmt::format("{}: {:.0f} W [{:.0f}, {:.0f}], limits {:.0f} to {:.0f} W\n",
                        calibration.loads[limit.load].name, watts.median, watts.low, watts.high,
                        limit.least_watts, limit.most_watts);
  }
  return text +
         fmt::format("{:.0f} effective draws of {}\n", fit.effective_draws, calibration.draws);
}

std::string fragmentText(const EnergyCalibration& calibration, const EnergyFit& fit) {
  std::string text(kFragmentMark);
  for (const energy::Constant constant : energy::allConstants()) {
    const FittedBand& band = fit.constants[static_cast<std::size_t>(constant)];
    const energy::Band& prior = calibration.priors.of(constant);
    if (!band.isIdentified()) continue;
    text += fmt::format(
        "\n[{}]\nmedian = {:.3g}\nlow = {:.3g}\nhigh = {:.3g}\nshape = \"{}\"\nsource = {}\n"
        "identified_by = {}\n",
        energy::keyOf(constant), band.posterior.median, band.posterior.low, band.posterior.high,
        prior.shape == energy::Shape::Normal ? "normal" : "lognormal", quoted(prior.source),
        quoted(fmt::format(
            "{}{}", band.isWeak() ? "weakly: " : "",
            band.by.empty() ? "all rows together" : fmt::format("{}", fmt::join(band.by, ", ")))));
    text += correlationsText(fit, constant);
  }
  return text;
}

}  // namespace ipusim::calibrate
