// SPDX-License-Identifier: Apache-2.0
#include "ipusim/run_config.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/error_boundary.h"
#include "base/text/message.h"
#include "ipusim/error.h"
#include "sim/answer/answer.h"

namespace ipusim {

namespace {

/// Traces have endings of their own, and no config around them.
bool isTrace(const std::string& path) {
  return path.find(".ipt") != std::string::npos && path.find(".toml") == std::string::npos;
}

std::string pageTextOf(const answer::Answer& answer) {
  std::string text;
  if (const auto kind = answer::pageKindOf(answer)) {
    report::writePage(*kind, answer::pageDataOf(answer),
                      [&text](std::string_view part) { text += part; });
  }
  return text;
}

ConfigRun runOf(const ConfigReader& config, Engine engine, ReportPage page) {
  const bool with_page = page == ReportPage::With;
  answer::AnswerOptions options;
  options.engine = engine;
  options.simulate = [&](const run::Experiment& experiment) {
    run::SimulateOptions simulate;
    if (with_page) simulate.detail = run::Detail::With;
    return run::simulate(experiment, engine, simulate);
  };
  const answer::Answer answer = answer::answerOf(config, options);
  return {answer::jsonTextOf(answer), with_page ? pageTextOf(answer) : ""};
}

}  // namespace

ConfigRun runConfig(const std::string& path, const std::vector<std::string>& overrides,
                    Engine engine, ReportPage page) {
  if (isTrace(path)) {
    throw ConfigError(
        fmt::format("{}: wanted a config, found a trace, which `ipusim run` takes", oneLine(path)));
  }
  const ConfigReader config =
      ConfigReader::fromFile(findConfigFile(path, {}), parseOverrides(overrides));
  return translateErrors<CountError>(
      [&] { return runOf(config, engine, page); },
      [&](const CountError& error) {
        return ConfigError(fmt::format("{}: wanted sizes that 64 bits count, found {}",
                                       oneLine(path), error.what()));
      });
}

}  // namespace ipusim
