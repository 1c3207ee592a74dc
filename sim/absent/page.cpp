// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "base/part.h"
#include "sim/cli/commands/commands.h"
#include "sim/cli/commands/report_file.h"
#include "sim/report/diff/diff.h"
#include "sim/report/page/page_data.h"
#include "sim/report/timeline/write_timeline.h"

namespace ipusim::report {

void expectPages() {
  throw PartAbsent("page");
}

ResultDiff diffResults(const JsonReader& /*a*/, const JsonReader& /*b*/) {
  throw PartAbsent("page");
}

Json withTiles(const run::RunResult& /*result*/) {
  throw PartAbsent("page");
}

std::string diffText(const ResultDiff& /*diff*/, const std::string& /*a*/,
                     const std::string& /*b*/) {
  throw PartAbsent("page");
}

Json diffJson(const ResultDiff& /*diff*/, const std::string& /*a*/, const std::string& /*b*/) {
  throw PartAbsent("page");
}

Json pageData(const run::RunResult& /*result*/, const PageLimits& /*limits*/) {
  throw PartAbsent("page");
}

run::RunResult writeTimeline(const run::Experiment& /*experiment*/, const ConfigReader& /*config*/,
                             const TimelineFile& /*file*/, Observer* /*next*/,
                             const std::function<run::RunResult(Observer*)>& /*simulate*/) {
  throw PartAbsent("page");
}

}  // namespace ipusim::report

namespace ipusim::cli {

void writeReport(report::PageKind /*kind*/, const Json& /*data*/, const std::string& /*path*/) {
  throw PartAbsent("page");
}

ExitCode diffCommand(const DiffArguments& /*arguments*/) {
  throw PartAbsent("page");
}

}  // namespace ipusim::cli
