// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/run/advice.h"
#include "sim/run/advice_search.h"
#include "sim/run/run_result.h"

// Sizes near those of a run with which the same planner does better.

namespace ipusim::run {

/// A padded size is named when its program takes at most this share of the time.
constexpr double kBetterShare = 0.95;

/// Plans the workload of `config` with sizes that are padded by an eighth at most. Runs the one
/// with the least estimate on the closed form. Gives it when it fits and takes at most kBetterShare
/// of the time of `result`, which is the result of `config`. Nothing for a workload without a
/// planner, and for sizes that need no padding.
///
/// A padded size that would take more of this computer than `limits` is not tried.
std::optional<AdvisedChange> betterSize(const ConfigReader& config, const ReadConfig& read,
                                        const RunResult& result, const HostLimits& limits);

}  // namespace ipusim::run
