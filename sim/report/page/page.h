// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/files/write_file.h"
#include "base/text/json.h"
#include "sim/run/run_result.h"

namespace ipusim::report {

/// What a page shows.
enum class PageKind : std::uint8_t {
  Run,       ///< a program
  Parallel,  ///< training on several IPUs
  Points,    ///< the points of a sweep or a search
  Changes,   ///< two results
};

/// The scripts of a page, in the order in which they run.
std::array<std::string_view, 3> scriptsOf(PageKind kind);

/// Gives `sink` an HTML page that draws `data`. The page needs no other file and no network. The
/// names in the data may be anything: they stay text.
void writePage(PageKind kind, const Json& data, const Sink& sink);

/// Writes that page to a file, part by part: its text is never in memory as a whole.
void writePageFile(PageKind kind, const Json& data, const std::string& path);

/// The page of a result.
std::string pageText(const run::RunResult& result);

/// Whether pages have charts: the program was built with the library that draws them.
bool hasCharts();

/// Nothing. A program without pages throws PartAbsent here, before the work that a page would show.
void expectPages();

}  // namespace ipusim::report
