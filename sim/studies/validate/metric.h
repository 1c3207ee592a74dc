// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/text/json.h"
#include "sim/studies/validate/cell.h"
#include "sim/studies/validate/run_set.h"

namespace ipusim::validate {

/// A condition on runs: the number at `path` must be below `bound`, or above it.
struct Condition {
  enum class Side : std::uint8_t { Below, Above };

  std::string path;
  Side side = Side::Below;
  double bound = 0;
};

/// Which number a set of runs gives.
enum class Summary : std::uint8_t {
  Smallest,
  Largest,
  First,  ///< the value of the first run, in the order of the set
  Mean,
  Deviation,  ///< standard deviation of a sample: n - 1 in the divisor
};

/// The number of a result that a measurement is compared with.
struct Metric {
  std::string path;     ///< dotted path into the JSON of the result
  std::string divisor;  ///< dotted path too; empty when the metric is not a quotient
  /// Overrides of the run to divide by; empty when the metric is not a ratio.
  std::vector<OverrideList> baseline;
  std::optional<Condition> where;  ///< set for a metric with a condition
  Summary summary = Summary::Largest;
};

/// Reads one of
///
/// - `A`, a path,
/// - `A / B`, a quotient of two paths,
/// - `A where B < NUMBER` or `A where B > NUMBER`, the smallest A at which B is below or above the
///   number,
/// - `mean(METRIC)`, or another summary of all runs by its name, or
/// - `ratio(METRIC | OVERRIDES)`, the metric divided by that of the run with those overrides added.
///
/// A metric that names no summary gives the smallest value when the last key is or ends in seconds,
/// cycles or bytes; otherwise the largest. Throws ConfigError.
Metric parseMetric(const Cell& cell);

/// True when a result meets the condition of the metric, or the metric has none.
bool counts(const Json& result, const Metric& metric);

/// The summary of the values of runs, in order, or nothing when there are too few.
std::optional<double> summaryOf(const std::vector<double>& values, Summary summary);

/// The value of a metric in `result`; for a ratio, its numerator. After an array the next key is an
/// index or the `name` of an element. Throws ConfigError when there is no number at a path: this
/// version has no such metric.
double valueIn(const Json& result, const Metric& metric);

}  // namespace ipusim::validate
