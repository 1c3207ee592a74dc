// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include "ipusim/error.h"
#include "sim/cli/commands.h"
#include "sim/cli/terminal.h"
#include "sim/parallel/redistribution/job.h"

namespace ipusim::cli {

namespace {

struct RedistributionAnswer {
  std::string text;
  ExitCode code = ExitCode::Done;
};

RedistributionAnswer answerTo(const parallel::Redistribution& asked,
                              const parallel::RedistributionJob& job,
                              const RedistributeArguments& arguments) {
  const auto numbers = arguments.check ? parallel::WithNumbers::Yes : parallel::WithNumbers::No;
  const parallel::RedistributionReport report =
      parallel::study(asked, job.type, job.place, numbers);
  const bool is_wrong =
      std::any_of(report.ways.begin(), report.ways.end(),
                  [](const parallel::WayReport& way) { return way.is_right == false; });
  return {arguments.form == Form::Json ? jsonOf(report, job.place) : tableOf(report, job.place),
          is_wrong ? ExitCode::WrongNumbers : ExitCode::Done};
}

RedistributionAnswer answerTo(const parallel::RandomCases& asked,
                              const parallel::RedistributionJob& job,
                              const RedistributeArguments& arguments) {
  std::vector<parallel::RedistributionReport> reports;
  for (std::uint64_t c = 0; c < asked.cases; ++c) {
    reports.push_back(parallel::study(parallel::randomRedistribution(asked.devices, asked.seed + c),
                                      job.type, job.place, parallel::WithNumbers::No));
  }
  const parallel::SpeedUps found = parallel::speedUps(reports);
  return {arguments.form == Form::Json ? jsonOf(found, job.place) : tableOf(found, job.place)};
}

}  // namespace

ExitCode redistributeCommand(const RedistributeArguments& arguments) {
  const parallel::RedistributionJob job = parallel::readJob(
      ConfigReader::fromFile(findConfigFile(arguments.config, {}), arguments.overrides));
  const bool can_check = std::holds_alternative<Machine>(job.place) &&
                         std::holds_alternative<parallel::Redistribution>(job.asked);
  if (arguments.check && !can_check) {
    throw ConfigError("--check: wanted one redistribution on the tiles of a chip, found " +
                      (std::holds_alternative<Machine>(job.place)
                           ? std::string("random ones")
                           : "the system " + parallel::nameOf(job.place)));
  }
  const RedistributionAnswer answer =
      std::visit([&](const auto& asked) { return answerTo(asked, job, arguments); }, job.asked);
  print(answer.text);
  return answer.code;
}

}  // namespace ipusim::cli
