// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/commands/report_file.h"

#include <nlohmann/json.hpp>

#include "base/text/json.h"
#include "sim/cli/watch/terminal.h"

namespace ipusim::cli {

void writeReport(report::PageKind kind, const Json& data, const std::string& path) {
  if (!report::hasCharts()) {
    say("ipusim: this program was built without Vega, so the report has tables and no charts");
  }
  report::writePageFile(kind, data, path);
}

}  // namespace ipusim::cli
