// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/calibrate/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/message.h"
#include "sim/studies/calibrate/toml_text.h"

namespace ipusim::calibrate {

namespace {

/// Correlations below this are not reported.
constexpr double kWeak = 0.005;

std::string valueText(const FreeConstant& constant, double value) {
  return constant.whole ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value);
}

std::string percentText(double predicted, double published) {
  return fmt::format("{:+.2f}", 100 * (predicted / published - 1) + 0.0);
}

std::string correlationsText(const Calibration& calibration, const Fit& fit, std::size_t constant) {
  std::string text;
  for (std::size_t other = 0; other < fit.values.size(); ++other) {
    const double correlation = fit.correlations[constant][other];
    if (other == constant || std::abs(correlation) < kWeak) continue;
    text += fmt::format("{}{} = {:.2f}", text.empty() ? "" : ", ", calibration.constants[other].key,
                        correlation);
  }
  return text.empty() ? text : fmt::format(", correlations = {{ {} }}", text);
}

template <typename Items, typename Length>
std::size_t widest(const Items& items, std::size_t least, const Length& length) {
  for (const auto& item : items) least = std::max<std::size_t>(least, length(item));
  return least;
}

}  // namespace

std::string tableText(const Calibration& calibration, const CalibrationResult& result) {
  const std::size_t width = widest(
      calibration.constants, 8, [](const FreeConstant& constant) { return constant.key.size(); });
  std::string text = fmt::format("{:<{}}  {:>12}  {:>12}  {:>14}  {:>7}  unit\n", "constant", width,
                                 "start", "fitted", "standard error", "%");
  for (std::size_t c = 0; c < calibration.constants.size(); ++c) {
    const FreeConstant& constant = calibration.constants[c];
    const double value = result.fit.values[c];
    const double relative = result.fit.relative_errors[c];
    text += fmt::format("{:<{}}  {:>12}  {:>12}  {:>14.3g}  {:>7.2f}  {}\n", constant.key, width,
                        valueText(constant, constant.start), valueText(constant, value),
                        relative * value, 100 * relative, oneLine(constant.unit));
  }
  const std::size_t ids =
      widest(calibration.rows, 2, [](const FitRow& row) { return row.measurement.id.size(); });
  text += fmt::format("\n{:<{}}  {:>12}  {:>10}  {:>10}  {:>10}  {}\n", "id", ids, "published",
                      "before %", "after %", "left out %", "unit");
  for (std::size_t r = 0; r < calibration.rows.size(); ++r) {
    const validate::Measurement& row = calibration.rows[r].measurement;
    const RowFit& one = result.rows[r];
    text +=
        fmt::format("{:<{}}  {:>12.6g}  {:>10}  {:>10}  {:>10}  {}\n", row.id, ids, row.value,
                    percentText(one.before, row.value), percentText(one.after, row.value),
                    one.left_out ? percentText(*one.left_out, row.value) : "-", oneLine(row.unit));
  }
  return text +
         "\nLeft out: predicted from the other rows; - where one constant is known from the row "
         "alone.\n";
}

std::string fragmentText(const Calibration& calibration, const CalibrationResult& result) {
  std::string text(kFragmentMark);
  for (std::size_t c = 0; c < calibration.constants.size(); ++c) {
    const FreeConstant& constant = calibration.constants[c];
    text += fmt::format(
        "{} = {{ value = {}, standard_error = {:.3g}, unit = {}, kind = \"fitted\", source = {}{} "
        "}}\n",
        constant.key, valueText(constant, result.fit.values[c]),
        result.fit.relative_errors[c] * result.fit.values[c], quoted(constant.unit),
        quoted(constant.source), correlationsText(calibration, result.fit, c));
  }
  return text;
}

}  // namespace ipusim::calibrate
