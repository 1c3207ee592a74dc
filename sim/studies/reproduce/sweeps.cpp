// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/reproduce/sweeps.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/text/json.h"
#include "base/text/message.h"
#include "sim/report/output_folder.h"
#include "sim/studies/sweep/processes/worker_pool.h"
#include "sim/studies/sweep/store/results_csv.h"
#include "sim/studies/sweep/store/sweep_identity.h"

namespace ipusim::reproduce {

namespace {

constexpr Engine kSweepsEngine = Engine::ClosedForm;

/// Nests the texts of a result's scalars, which have dotted paths, into a result as a run has it.
Json nested(const Json& scalars) {
  Json result = Json::object();
  for (const auto& [path, cell] : scalars.items()) {
    const std::string text = cell.get<std::string>();
    Json value = Json::parse(text, nullptr, false);
    Json* node = &result;
    std::size_t begin = 0;
    for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', begin)) {
      node = &(*node)[path.substr(begin, dot - begin)];
      begin = dot + 1;
    }
    (*node)[path.substr(begin)] = value.is_discarded() ? Json(text) : std::move(value);
  }
  return result;
}

/// Adds each point of the store, as if the point had been simulated for a measurement.
void addRuns(const sweep::Sweep& sweep, const sweep::SweepStore& store, validate::RunStore& runs) {
  store.forEach([&](std::uint64_t point, const sweep::PointResult& result) {
    if (!result.outcome) return;
    const ConfigReader config = sweep.configAt(point);
    Json known = nested(Json::parse(result.result));
    known["config"] = config.values().json();
    runs.add(config, {std::move(known), *result.outcome});
  });
}

}  // namespace

std::filesystem::path folderOf(const Options& options, const SweepFile& sweep) {
  return options.out / "sweeps" / sweep.name;
}

SweepOutcome computeSweep(const SweepFile& file, const Options& options, const Watch& watch,
                          validate::RunStore& runs) {
  const sweep::Sweep sweep = sweep::readSweep(ConfigReader::fromFile(file.file));
  const report::OutputFolder folder(folderOf(options, file));
  sweep::SweepStore store(folder, sweep::identify(sweep, kSweepsEngine, options.program));
  sweep::WorkerPool pool({options.jobs, std::nullopt}, sweep::evaluatorOf(sweep, kSweepsEngine));
  const sweep::SweepState state = sweep::runSweep(
      sweep, sweep::Shard(), [&pool](const sweep::PoolWork& work) { pool.compute(work); }, store,
      [&](const sweep::SweepState& now) { return watch("sweep " + file.name, now); });
  sweep::writeResults(folder, sweep, store);
  addRuns(sweep, store, runs);
  return {state.done == state.points, sweep::countsOf(store)};
}

}  // namespace ipusim::reproduce
