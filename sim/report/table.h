// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/report/json.h"
#include "sim/run/run_result.h"

namespace ipusim::run {

/// The result for people: whether it fits and why not, memory, time, steps, plan. At most 60 lines
/// of 80 columns.
std::string tableText(const RunResult& result, Stats stats = Stats::Without);

/// The part of the table about a GPU.
std::string compareText(const CompareResult& compare);

}  // namespace ipusim::run
