// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/report/page/page.h"

namespace ipusim::cli {

/// Writes the page that --report asks for. Says so where it will have no charts.
void writeReport(run::PageKind kind, const nlohmann::ordered_json& data, const std::string& path);

}  // namespace ipusim::cli
