// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/run/run_result.h"

// Tables for other programs: a header line, `\n` line ends, no locale. The plots read nothing else.

namespace ipusim::report {

/// A cell of CSV. A comma, a quote or a line end puts the cell in quotes. Other control characters
/// become \x1b and the like, as in messages. A ' stands before a text that begins like a formula
/// (with = + - @, a tab or CR) and is no number: a spreadsheet would run it.
std::string csvCell(std::string_view text);

/// The text of a cell that csvCell() wrote: without the ' before what looks like a formula.
std::string textOfCell(std::string_view cell);

/// The cells joined to a line, with `\n` at its end.
std::string csvLine(const std::vector<std::string>& cells);

/// One row per step, in program order.
std::string stepsCsv(const run::RunResult& result);

/// One row per tile: its memory by category at its peak, its cycles by kind, and its joules.
std::string tilesCsv(const run::RunResult& result);

/// One row per variable: when it lives, and how much memory it takes.
std::string variablesCsv(const Result& result);

/// One row per layer of a network: what each takes, beside a GPU where it is compared. The header
/// alone for what has no layers.
std::string layersCsv(const run::RunResult& result);

/// One row per position of the program: the bytes that do not live always, of all tiles and of the
/// fullest tile.
std::string livenessCsv(const Result& result);

}  // namespace ipusim::report
