// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/studies/validate/cell.h"
#include "sim/studies/validate/run_set.h"

namespace ipusim::validate {

/// A run counts only where the number at `path` is below `bound`, or above it.
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
  First,  ///< that of the first run, in the order of the set
  Mean,
  Deviation,  ///< standard deviation of a sample: n - 1 in the divisor
};

/// Which number of a result a measurement is held against.
struct Metric {
  std::string path;                    ///< dotted, into the result's JSON
  std::string divisor;                 ///< the same; empty where the metric is no quotient
  std::vector<OverrideList> baseline;  ///< the run to divide by; empty where it is no ratio
  std::optional<Condition> where;
  Summary summary = Summary::Largest;
};

/// Reads `A`, `A / B` (a quotient of two paths), `A where B < NUMBER` or `A where B > NUMBER` (the
/// smallest A at which B is below or above the number), `mean(METRIC)` (or another summary of all
/// runs by its name) or `ratio(METRIC | OVERRIDES)` (the metric over the same metric of the run
/// with those overrides added). A metric that names no summary gives the smallest value where the
/// last key is or ends in seconds, cycles or bytes, else the largest. Throws ConfigError.
Metric parseMetric(const Cell& cell);

/// Whether a result meets the condition of a metric that has one.
bool counts(const nlohmann::ordered_json& result, const Metric& metric);

/// The summary of the values of runs, in order; nothing where there are too few.
std::optional<double> summaryOf(const std::vector<double>& values, Summary summary);

/// The value in `result`, of the ratio its numerator. In an array the next key is an index or the
/// `name` of an element. Throws ConfigError where there is no number at a path: this version has no
/// such metric.
double valueIn(const nlohmann::ordered_json& result, const Metric& metric);

}  // namespace ipusim::validate
