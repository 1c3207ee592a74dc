// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/config/config_reader.h"
#include "sim/run/advice/advice.h"
#include "sim/run/advice/remedies.h"
#include "sim/run/host_cost.h"
#include "sim/run/run_result.h"

// Finds what would make a program fit by trying it.

namespace ipusim::run {

/// The advice that a run with `change` gives, whose result is `result`.
AdvisedChange advisedChange(const std::string& kind, const Change& change, const RunResult& result);

/// Runs changes of `config`, whose program does not fit, on the closed form. Keeps the first change
/// of each kind with which it fits. Where no kind is enough, tries the first kind, which is the
/// cheapest to adopt, together with each other one.
///
/// The limits hold for the estimates of all runs together, so that equal configs get equal advice.
/// `own` is the estimated cost of the run without a change on the closed form: a change that
/// would cost too much by it is not even built. The search also ends when it really takes
/// kHostCostAccuracy times its limit.
Advice adviceFor(const ConfigReader& config, const HostLimits& limits, const HostCost& own);

/// The advice of a search that had no time: every change is left out. All of `config` must have
/// been read.
Advice noAdvice(const ConfigReader& config);

}  // namespace ipusim::run
