// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/studies/search/exploration.h"

// The time of the search itself. Its points are formulas that take no time, and it is random, so
// that no time goes to an algorithm. The front of f = x + y and g = (999 - x) + y is all of y = 0.

namespace ipusim::search {
namespace {

ConfigReader spaceOf(const std::string& evaluations) {
  return ConfigReader::fromText(
      "run = \"configs/runs/quickstart.toml\"\n[axes]\nx = {from = 0, to = 999}\n"
      "y = {from = 0, to = 9999}\n[explore]\nminimize = [\"f\", \"g\"]\npopulation = 40\n"
      "constraints = []\nalgorithm = \"random\"\nevaluations = " +
          evaluations + "\n",
      "bench");
}

void formulas(const sweep::Sweep& sweep, const sweep::PoolWork& work) {
  while (const auto number = work.next(std::nullopt)) {
    const double x = std::stod(sweep.valuesAt(*number)[0]->toml);
    const double y = std::stod(sweep.valuesAt(*number)[1]->toml);
    const nlohmann::json json = {{"f", std::to_string(x + y)}, {"g", std::to_string(999 - x + y)}};
    work.keep(*number, {sweep::Status::Ok, "", json.dump(), 0});
  }
}

void randomSearch(benchmark::State& state) {
  const ConfigReader config = spaceOf(std::to_string(state.range(0)));
  const sweep::Sweep sweep = sweep::readSpace(config);
  const SearchOptions options = readSearchOptions(config);
  const sweep::Compute compute = [&](const sweep::PoolWork& work) { formulas(sweep, work); };
  const auto folder = std::filesystem::temp_directory_path() / "ipusim_bench_search";
  for (auto _ : state) {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    sweep::SweepStore store(report::OutputFolder(folder), {"1", "{}"});
    const sweep::Transaction all_at_once = store.transaction();
    Evaluator evaluator(sweep, options, store, compute);
    benchmark::DoNotOptimize(explore(sweep, options, evaluator));
  }
  std::filesystem::remove_all(folder);
}
BENCHMARK(randomSearch)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1)
    ->Arg(1000)
    ->Arg(4000)
    ->Arg(100'000);

}  // namespace
}  // namespace ipusim::search
