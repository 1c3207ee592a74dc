// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/report/text/table_options.h"
#include "sim/run/run_result.h"

namespace ipusim::report {

/// Whether the program fits and why not, the bytes of the deciding tile by category beside those of
/// all tiles, and the largest variables of that tile.
std::string memoryText(const run::RunResult& result, const TableOptions& options);

}  // namespace ipusim::report
