// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/calibrate/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/message.h"
#include "sim/report/text/text_table.h"
#include "sim/studies/calibrate/toml_text.h"

namespace ipusim::calibrate {

using report::Align;
using report::TextTable;

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

std::string constantsText(const Calibration& calibration, const CalibrationResult& result) {
  TextTable table({{0, Align::Left}, {12}, {12}, {14}, {7}, {0, Align::Left}}, {0, 2});
  table.add({"constant", "start", "fitted", "standard error", "%", "unit"});
  for (std::size_t c = 0; c < calibration.constants.size(); ++c) {
    const FreeConstant& constant = calibration.constants[c];
    const double value = result.fit.values[c];
    const double relative = result.fit.relative_errors[c];
    table.add({constant.key, valueText(constant, constant.start), valueText(constant, value),
               fmt::format("{:.3g}", relative * value), fmt::format("{:.2f}", 100 * relative),
               oneLine(constant.unit)});
  }
  return table.text();
}

std::string rowsText(const Calibration& calibration, const CalibrationResult& result) {
  TextTable table({{0, Align::Left}, {12}, {10}, {10}, {10}, {0, Align::Left}}, {0, 2});
  table.add({"id", "published", "before %", "after %", "left out %", "unit"});
  for (std::size_t r = 0; r < calibration.rows.size(); ++r) {
    const validate::Measurement& row = calibration.rows[r].measurement;
    const RowFit& one = result.rows[r];
    table.add({row.id, fmt::format("{:.6g}", row.value), percentText(one.before, row.value),
               percentText(one.after, row.value),
               one.left_out ? percentText(*one.left_out, row.value) : "-", oneLine(row.unit)});
  }
  return table.text();
}

}  // namespace

std::string tableText(const Calibration& calibration, const CalibrationResult& result) {
  return constantsText(calibration, result) + '\n' + rowsText(calibration, result) +
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
