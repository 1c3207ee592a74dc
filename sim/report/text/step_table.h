// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/report/text/table_options.h"
#include "sim/run/run_result.h"

namespace ipusim::report {

/// The steps: how often each runs, its cycles on its busiest tile and on the mean tile, and the
/// bytes that it moves, all iterations together. The cycles of the mean tile add up to the time.
/// Without `options.all` syncs share a row, and so do all but the longest of the other steps.
std::string stepsText(const run::RunResult& result, const TableOptions& options);

}  // namespace ipusim::report
