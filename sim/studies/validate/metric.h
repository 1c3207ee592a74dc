// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/studies/validate/cell.h"
#include "sim/studies/validate/run_set.h"

namespace ipusim::validate {

/// A run counts only where the number at `path` is below `bound`.
struct Condition {
  std::string path;
  double bound = 0;
};

/// Which number of a result a measurement is held against.
struct Metric {
  std::string path;                    ///< dotted, into the result's JSON
  std::string divisor;                 ///< the same; empty where the metric is no quotient
  std::vector<OverrideList> baseline;  ///< the run to divide by; empty where it is no ratio
  std::optional<Condition> where;      ///< then the smallest value is the best
  bool smallest_is_best = false;
};

/// Reads `A`, `A / B` (a quotient of two paths), `A where B < NUMBER` (the first A at which B is
/// below the number) or `ratio(METRIC | OVERRIDES)` (the metric over the
/// same metric of the run with those overrides added). The smallest value is the best where the
/// last key is or ends in seconds, cycles or bytes, else the largest. Throws ConfigError.
Metric parseMetric(const Cell& cell);

/// Whether a result meets the condition of a metric that has one.
bool counts(const nlohmann::ordered_json& result, const Metric& metric);

/// The value in `result`, of the ratio its numerator. In an array the next key is an index or the
/// `name` of an element. Throws ConfigError where there is no number at a path: this version has no
/// such metric.
double valueIn(const nlohmann::ordered_json& result, const Metric& metric);

}  // namespace ipusim::validate
