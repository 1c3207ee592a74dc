// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/report/text/table_options.h"
#include "sim/run/run_result.h"

namespace ipusim::report {

/// The result for people: whether it fits and why not, memory, time, steps, plan. Memory and steps
/// take `options.width` columns. Without `options.all`, a result of no layers has at most 66 lines.
std::string tableText(const run::RunResult& result, const TableOptions& options = {});

/// The part of the table about a GPU.
std::string compareText(const run::CompareResult& compare);

}  // namespace ipusim::report
