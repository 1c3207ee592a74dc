// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/text/json.h"
#include "sim/report/page/page.h"

namespace ipusim::cli {

/// Writes the page that --report asks for. Says so where it will have no charts.
void writeReport(report::PageKind kind, const Json& data, const std::string& path);

}  // namespace ipusim::cli
