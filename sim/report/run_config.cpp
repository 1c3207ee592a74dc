// SPDX-License-Identifier: Apache-2.0
#include "ipusim/run_config.h"

#include "sim/report/gpu_alone.h"
#include "sim/report/json.h"
#include "sim/report/page/page.h"
#include "sim/run/simulate.h"

namespace ipusim {

ConfigRun runConfig(const std::string& path, const std::vector<std::string>& overrides,
                    Engine engine, ReportPage page) {
  const ConfigReader config =
      ConfigReader::fromFile(findConfigFile(path, {}), parseOverrides(overrides));
  if (run::isGpuAlone(config)) {
    return {run::gpuAloneJson(run::prepareGpuAlone(config)).dump(2) + '\n', ""};
  }
  if (config.has("parallel")) {
    throw config.error("parallel",
                       "one program for a library, training on several IPUs for `ipusim run`");
  }
  run::expectPlayable(config, engine);
  const bool with_page = page == ReportPage::With;
  const auto detail = with_page ? run::Detail::With : run::Detail::Without;
  const run::RunResult result =
      run::simulate(run::prepare(config), engine, nullptr, run::SimulatedChips::Distinct, detail);
  return {run::jsonText(result), with_page ? run::pageText(result) : ""};
}

}  // namespace ipusim
