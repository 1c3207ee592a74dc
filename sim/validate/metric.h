// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/validate/cell.h"
#include "sim/validate/run_set.h"

namespace ipusim::validate {

/// Which number of a result a measurement is held against.
struct Metric {
  std::string path;                    ///< dotted, into the result's JSON
  std::string divisor;                 ///< the same; empty where the metric is no quotient
  std::vector<OverrideList> baseline;  ///< the run to divide by; empty where it is no ratio
  bool smallest_is_best = false;
};

/// Reads `A`, `A / B` (a quotient of two paths) or `ratio(METRIC | OVERRIDES)` (the metric over the
/// same metric of the run with those overrides added). The smallest value is the best where the
/// last key is or ends in seconds, cycles or bytes, else the largest. Throws ConfigError.
Metric parseMetric(const Cell& cell);

/// The value in `result`, of the ratio its numerator. In an array the next key is an index or the
/// `name` of an element. Throws ConfigError where there is no number at a path: this version has no
/// such metric.
double valueIn(const nlohmann::ordered_json& result, const Metric& metric);

}  // namespace ipusim::validate
