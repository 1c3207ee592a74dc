// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/validate/run_store.h"

#include <utility>

#include "sim/report/gpu_alone.h"
#include "sim/report/json.h"
#include "sim/run/simulate.h"

namespace ipusim::validate {

namespace {

/// Paths in a config are relative to it: the same text elsewhere may be another run.
std::string keyOf(const std::filesystem::path& config, const ConfigReader& read) {
  return config.string() + '\n' + read.json();
}

}  // namespace

void RunStore::add(const std::filesystem::path& config, const std::vector<Override>& overrides,
                   nlohmann::ordered_json result) {
  const ConfigReader read = ConfigReader::fromFile(config, overrides);
  results_.insert_or_assign(keyOf(config, read), std::move(result));
}

const nlohmann::ordered_json& RunStore::resultOf(const std::filesystem::path& config,
                                                 const std::vector<Override>& overrides) {
  const ConfigReader read = ConfigReader::fromFile(config, overrides);
  const std::string key = keyOf(config, read);
  const auto found = results_.find(key);
  if (found != results_.end()) return found->second;
  auto result = run::isGpuAlone(read) ? run::gpuAloneJson(run::prepareGpuAlone(read))
                                      : run::toJson(run::simulate(read, engine_));
  return results_.emplace(key, std::move(result)).first->second;
}

}  // namespace ipusim::validate
