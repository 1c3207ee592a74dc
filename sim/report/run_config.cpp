// SPDX-License-Identifier: Apache-2.0
#include "ipusim/run_config.h"

#include <fmt/format.h>

#include "base/json_text.h"
#include "base/message.h"
#include "ipusim/error.h"
#include "sim/report/gpu_alone.h"
#include "sim/report/json.h"
#include "sim/report/page/page.h"
#include "sim/run/simulate.h"

namespace ipusim {

namespace {

/// Traces have endings of their own, and no config around them.
bool isTrace(const std::string& path) {
  return path.find(".ipt") != std::string::npos && path.find(".toml") == std::string::npos;
}

ConfigRun answerOf(const ConfigReader& config, Engine engine, ReportPage page) {
  if (run::isGpuAlone(config)) {
    return {jsonTextOf(run::gpuAloneJson(run::prepareGpuAlone(config)), 2) + '\n', ""};
  }
  if (config.has("parallel")) {
    throw config.error("parallel",
                       "one program for a library, training on several IPUs for `ipusim run`");
  }
  run::expectPlayable(config, engine);
  const bool with_page = page == ReportPage::With;
  run::SimulateOptions options;
  if (with_page) options.detail = run::Detail::With;
  const run::RunResult result = run::simulate(run::prepare(config), engine, options);
  return {run::jsonText(result), with_page ? run::pageText(result) : ""};
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
  try {
    return answerOf(config, engine, page);
  } catch (const CountError& error) {
    throw ConfigError(
        fmt::format("{}: wanted sizes that 64 bits count, found {}", oneLine(path), error.what()));
  }
}

}  // namespace ipusim
