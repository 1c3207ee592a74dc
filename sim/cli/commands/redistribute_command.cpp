// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "ipusim/error.h"
#include "sim/cli/commands/commands.h"
#include "sim/cli/watch/build_watch.h"
#include "sim/cli/watch/limit_watch.h"
#include "sim/cli/watch/progress.h"
#include "sim/cli/watch/run_watch.h"
#include "sim/cli/watch/terminal.h"
#include "sim/parallel/redistribution/job.h"
#include "sim/report/text/excess.h"
#include "sim/report/text/quantity.h"

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

/// Tells how long all cases will take, from the time of those that are done.
class CaseTimes {
 public:
  CaseTimes(const run::HostLimits& limits, std::uint64_t cases) : limits_(limits), cases_(cases) {}

  /// Announces a study that will take long. Throws ConfigError when it would surely go over its
  /// limit. The cases are alike, so that a second of them says enough.
  void done(std::uint64_t cases) {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin_;
    if (is_told_ || taken.count() < 1) return;
    is_told_ = true;
    first_.reset();
    const double all = taken.count() / static_cast<double>(cases) * static_cast<double>(cases_);
    if (const auto excess = report::describeExcess({all, Bytes(0)}, limits_)) {
      throw ConfigError(fmt::format(
          "--max-time: wanted a study within the limit, found one that would take {}; allow more, "
          "or make redistribution.random_cases or redistribution.devices smaller",
          *excess));
    }
    if (all < kLongSeconds) return;
    progress_.say(fmt::format("ipusim: {} cases will take about {} (--max-time limits it)",
                              report::countText(cases_), report::secondsText(all)));
  }

 private:
  run::HostLimits limits_;
  std::uint64_t cases_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  bool is_told_ = false;
  Progress progress_{"planning"};
  /// Watches the cases until anything is told, because one case of many devices may take long.
  std::unique_ptr<BuildWatch> first_ = std::make_unique<BuildWatch>(
      "planning these cases",
      BuildWatch::Thresholds{kLongSeconds / 2, Bytes(kMuchMemory.value() / 2)});
};

RedistributionAnswer answerTo(const parallel::RandomCases& asked,
                              const parallel::RedistributionJob& job,
                              const RedistributeArguments& arguments) {
  CaseTimes times(arguments.limits, asked.cases);
  std::vector<parallel::RedistributionReport> reports;
  for (std::uint64_t c = 0; c < asked.cases; ++c) {
    reports.push_back(parallel::study(parallel::randomRedistribution(asked.devices, asked.seed + c),
                                      job.type, job.place, parallel::WithNumbers::No));
    times.done(reports.size());
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
  RedistributionAnswer answer;
  {
    LimitWatch watch(arguments.limits, Engine::ClosedForm);
    watch.now("planning");
    answer =
        std::visit([&](const auto& asked) { return answerTo(asked, job, arguments); }, job.asked);
  }
  print(answer.text);
  return answer.code;
}

}  // namespace ipusim::cli
