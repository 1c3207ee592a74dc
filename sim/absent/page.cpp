// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "base/part.h"
#include "sim/cli/commands/commands.h"
#include "sim/cli/commands/report_file.h"
#include "sim/report/diff/diff.h"
#include "sim/report/page/page_data.h"
#include "sim/report/timeline/write_timeline.h"

namespace ipusim::run {

void expectPages() {
  throw PartAbsent("page");
}

report::ResultDiff diffResults(const JsonReader& /*a*/, const JsonReader& /*b*/) {
  throw PartAbsent("page");
}

Json withTiles(const RunResult& /*result*/) {
  throw PartAbsent("page");
}

std::string diffText(const report::ResultDiff& /*diff*/, const std::string& /*a*/,
                     const std::string& /*b*/) {
  throw PartAbsent("page");
}

Json diffJson(const report::ResultDiff& /*diff*/, const std::string& /*a*/,
              const std::string& /*b*/) {
  throw PartAbsent("page");
}

Json pageData(const RunResult& /*result*/, const report::PageLimits& /*limits*/) {
  throw PartAbsent("page");
}

RunResult writeTimeline(const Experiment& /*experiment*/, const ConfigReader& /*config*/,
                        const report::TimelineFile& /*file*/, Observer* /*next*/,
                        const std::function<RunResult(Observer*)>& /*simulate*/) {
  throw PartAbsent("page");
}

}  // namespace ipusim::run

namespace ipusim::cli {

void writeReport(report::PageKind /*kind*/, const Json& /*data*/, const std::string& /*path*/) {
  throw PartAbsent("page");
}

ExitCode diffCommand(const DiffArguments& /*arguments*/) {
  throw PartAbsent("page");
}

}  // namespace ipusim::cli
