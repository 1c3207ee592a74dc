// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/validate/run_store.h"

#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "base/error_boundary.h"
#include "base/process/workers.h"
#include "base/text/json.h"
#include "sim/answer/answer.h"
#include "sim/run/host_cost.h"
#include "sim/studies/validate/memory_budget.h"

namespace ipusim::validate {

namespace {

/// What runs on several threads may be expected to hold together.
constexpr Bytes kMostMemory(1'000'000'000);
/// A run that is expected to hold no more never waits. Most runs are such.
constexpr Bytes kLittleMemory(150'000'000);

/// Paths in a config are relative to it: the same text elsewhere may be another run.
std::string keyOf(const ConfigReader& config) {
  return config.file().string() + '\n' + config.values().text();
}

RunFigures computed(const ConfigReader& config, Engine engine,
                    const run::OnWorkEstimate& on_estimate = {}) {
  answer::AnswerOptions options;
  options.engine = engine;
  options.on_estimate = on_estimate;
  return figuresOf(answer::answerOf(config, options));
}

/// The result of a run, or none when the run ends with an error.
std::optional<RunFigures> resultOrNone(const ConfigReader& config, Engine engine,
                                       MemoryBudget& budget) {
  MemoryBudget::Share share(budget);
  const auto hold = [&](const run::RunWork& work) {
    const Bytes memory = run::hostCost(work, engine).memory;
    if (memory > kLittleMemory) share.hold(memory);
  };
  return ipusim::resultOrNone<std::exception>([&] { return computed(config, engine, hold); });
}

/// A run without a result.
struct Missing {
  std::string key;
  ConfigReader config;
};

std::vector<Missing> missingOf(const std::vector<StoredRun>& runs,
                               const std::map<std::string, RunFigures>& results) {
  std::vector<Missing> missing;
  std::set<std::string> keys;
  for (const StoredRun& run : runs) {
    // resultOf() tells of an error.
    auto read = ipusim::resultOrNone<ConfigError>(
        [&] { return ConfigReader::fromFile(run.config, run.overrides); });
    if (!read) continue;
    std::string key = keyOf(*read);
    if (results.count(key) > 0 || !keys.insert(key).second) continue;
    missing.push_back({std::move(key), *std::move(read)});
  }
  return missing;
}

}  // namespace

RunFigures figuresOf(const answer::Answer& answer) {
  return {answer::jsonOf(answer), answer::outcomeOf(answer)};
}

void RunStore::add(const ConfigReader& config, RunFigures result) {
  results_.insert_or_assign(keyOf(config), std::move(result));
}

const RunFigures& RunStore::resultOf(const std::filesystem::path& config,
                                     const std::vector<Override>& overrides) {
  const ConfigReader read = ConfigReader::fromFile(config, overrides);
  const std::string key = keyOf(read);
  const auto found = results_.find(key);
  if (found != results_.end()) return found->second;
  return results_.emplace(key, computed(read, engine_)).first->second;
}

void RunStore::compute(const std::vector<StoredRun>& runs, std::uint64_t threads,
                       const std::function<void(std::size_t done, std::size_t all)>& done) {
  const std::vector<Missing> missing = missingOf(runs, results_);
  std::size_t count = 0;
  std::mutex mutex;
  MemoryBudget budget(kMostMemory);
  Workers workers(threads);
  const auto work = [&](std::size_t index, std::size_t /*thread*/) {
    std::optional<RunFigures> result = resultOrNone(missing[index].config, engine_, budget);
    const std::lock_guard lock(mutex);
    if (result) results_.emplace(missing[index].key, *std::move(result));
    if (done) done(++count, missing.size());
  };
  workers.forEach(missing.size(), work, Workers::Share::One);
}

}  // namespace ipusim::validate
