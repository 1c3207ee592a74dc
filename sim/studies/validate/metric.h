// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/studies/validate/cell.h"
#include "sim/studies/validate/run_set.h"

namespace ipusim::validate {

/// A condition on runs: the number at `path` must be below `bound`.
struct Condition {
  std::string path;
  double bound = 0;
};

/// The number of a result that a measurement is compared with.
struct Metric {
  std::string path;     ///< dotted path into the JSON of the result
  std::string divisor;  ///< dotted path too; empty when the metric is not a quotient
  /// Overrides of the run to divide by; empty when the metric is not a ratio.
  std::vector<OverrideList> baseline;
  /// Set for a metric with a condition; the smallest value is then the best.
  std::optional<Condition> where;
  bool smallest_is_best = false;
};

/// Reads one of
///
/// - `A`, a path,
/// - `A / B`, a quotient of two paths,
/// - `A where B < NUMBER`, the first A at which B is below the number, or
/// - `ratio(METRIC | OVERRIDES)`, the metric divided by that of the run with those overrides added.
///
/// The smallest value is the best when the last key is or ends in seconds, cycles or bytes;
/// otherwise the largest is. Throws ConfigError.
Metric parseMetric(const Cell& cell);

/// True when a result meets the condition of the metric, or the metric has none.
bool counts(const nlohmann::ordered_json& result, const Metric& metric);

/// The value of a metric in `result`; for a ratio, its numerator. After an array the next key is an
/// index or the `name` of an element. Throws ConfigError when there is no number at a path: this
/// version has no such metric.
double valueIn(const nlohmann::ordered_json& result, const Metric& metric);

}  // namespace ipusim::validate
