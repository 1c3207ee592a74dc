// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/run/result.h"

// Tables for other programs: a header line, `\n` line ends, no locale. The plots read only these.

namespace ipusim::run {

/// A cell as CSV wants it: in quotes where it holds a comma, a quote or a line end. Other control
/// characters stand in it as \x1b does in messages.
std::string csvCell(std::string_view text);

/// Cells joined to a line, the `\n` included.
std::string csvLine(const std::vector<std::string>& cells);

/// A row a step, in program order.
std::string stepsCsv(const RunResult& result);

/// A row a tile: its memory by category at its peak, its cycles by kind.
std::string tilesCsv(const RunResult& result);

}  // namespace ipusim::run
