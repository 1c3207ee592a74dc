// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/run/advice/advice.h"
#include "sim/run/advice/advice_search.h"
#include "sim/run/run_result.h"

// Sizes with which the same planner does better: some near those of a run, and those of the
// transposed product.

namespace ipusim::run {

/// Other sizes are named when their program takes at most this share of the time.
constexpr double kBetterShare = 0.95;

/// Plans the workload of `config` with sizes that are padded by an eighth at most, and a product
/// with the sizes of its transpose. Of each kind it runs the one with the least estimate on the
/// closed form, where that is below the estimate of the plan in `result`, the result of `config`.
/// Gives the fastest that fits and takes at most kBetterShare of the time of `result`. Nothing for
/// a workload without a planner.
///
/// A size that would take more of this computer than `limits` is not tried.
std::optional<AdvisedChange> betterSize(const ConfigReader& config, const RunResult& result,
                                        const HostLimits& limits);

}  // namespace ipusim::run
