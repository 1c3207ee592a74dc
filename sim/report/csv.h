// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ipusim/result.h"

// Tables for other programs: a header line, `\n` line ends, no locale. The plots read only these.

namespace ipusim::run {

/// A cell as CSV wants it: in quotes where it holds a comma, a quote or a line end. Other control
/// characters stand in it as \x1b does in messages.
std::string csvCell(std::string_view text);

/// Cells joined to a line, the `\n` included.
std::string csvLine(const std::vector<std::string>& cells);

/// One row per step, in program order.
std::string stepsCsv(const Result& result);

/// One row per tile: its memory by category at its peak, its cycles by kind.
std::string tilesCsv(const Result& result);

/// One row per variable: when it lives, and how much memory it takes.
std::string variablesCsv(const Result& result);

/// One row per position of the program: the not-always-live bytes of all tiles, and of the fullest.
std::string livenessCsv(const Result& result);

}  // namespace ipusim::run
