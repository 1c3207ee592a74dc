// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "base/write_file.h"
#include "sim/run/run_result.h"

namespace ipusim::run {

/// Gives `sink` an HTML page that draws `data`. The page needs no other file and no network. The
/// names in the data may be anything: they stay text.
void writePage(const nlohmann::ordered_json& data, const Sink& sink);

/// The page of a result.
std::string pageText(const RunResult& result);

/// Whether pages have charts: the program was built with the library that draws them.
bool hasCharts();

}  // namespace ipusim::run
