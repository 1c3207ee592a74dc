// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/validate/run_store.h"

#include <utility>

#include "sim/report/gpu_alone.h"
#include "sim/report/json.h"
#include "sim/run/simulate.h"

namespace ipusim::validate {

const nlohmann::ordered_json& RunStore::resultOf(const std::filesystem::path& config,
                                                 const std::vector<Override>& overrides) {
  const ConfigReader read = ConfigReader::fromFile(config, overrides);
  // Paths in a config are relative to it: an equal text elsewhere may be another run.
  const std::string key = config.string() + '\n' + read.json();
  const auto found = results_.find(key);
  if (found != results_.end()) return found->second;
  auto result = run::isGpuAlone(read) ? run::gpuAloneJson(run::prepareGpuAlone(read))
                                      : run::toJson(run::simulate(read, engine_));
  return results_.emplace(key, std::move(result)).first->second;
}

}  // namespace ipusim::validate
