// SPDX-License-Identifier: Apache-2.0
// Measures how near a search comes to the front that computing every point shows.
//
//   search_study SWEEP.toml DIR [JOBS]
//
// Computes all points of the file into DIR, and goes on where an earlier call was stopped. Then
// searches with three seeds by each algorithm, and prints a table. The hypervolume is that of the
// box from the best values of the true front to a tenth beyond its worst values. The true front has
// 100 %.

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <numeric>
#include <string>

#include "sim/report/output_folder.h"
#include "sim/studies/search/front.h"
#include "sim/studies/search/search.h"
#include "sim/studies/sweep/run_sweep.h"

namespace ipusim::search {
namespace {

constexpr std::uint32_t kSeeds = 3;

struct Study {
  sweep::Sweep sweep;
  SearchOptions options;
  sweep::SweepStore& store;
  sweep::Compute compute;
};

std::vector<std::uint64_t> allPoints(const sweep::Sweep& sweep) {
  std::vector<std::uint64_t> points;
  sweep::forEachPoint(sweep, [&](std::uint64_t point) { points.push_back(point); });
  return points;
}

/// An evaluator that has seen every point.
Evaluator exhaustive(Study& study, SearchOptions& options) {
  options.evaluations = study.sweep.numbers();
  Evaluator evaluator(study.sweep, options, study.store, study.compute);
  evaluator.look(allPoints(study.sweep));
  return evaluator;
}

void searchWith(Study& study, const char* name, Algorithm algorithm, const Front& all,
                const Hypervolume& box) {
  const double whole = box.of(all);
  for (std::uint32_t seed = 1; seed <= kSeeds; ++seed) {
    study.options.algorithm = algorithm;
    study.options.seed = seed;
    Evaluator evaluator(study.sweep, study.options, study.store, study.compute);
    search(study.sweep, study.options, evaluator);
    const auto& seen = evaluator.seen();
    const Front front = frontOf(evaluator, seen);
    const double percent = 100 * box.of(front) / whole;
    fmt::print("| {} | {} | {} | {} | {:.2f} % |\n", name, seed, seen.size(), front.points().size(),
               percent);
  }
}

void run(const std::string& file, const std::string& folder, std::uint64_t jobs) {
  const auto config = ConfigReader::fromFile(file);
  const sweep::Sweep sweep = sweep::readSweep(config);
  sweep::SweepStore store(
      report::OutputFolder(folder),
      sweep::identify(sweep, Engine::ClosedForm, sweep::hashOfFile("/proc/self/exe")));
  sweep::WorkerPool pool({jobs, {}}, sweep::evaluatorOf(sweep, Engine::ClosedForm));
  Study study{sweep, readSearchOptions(config), store,
              [&](const sweep::PoolWork& work) { pool.compute(work); }};
  SearchOptions everything = study.options;
  const Evaluator all = exhaustive(study, everything);
  const Front front = frontOf(all, all.seen());
  const Hypervolume box(front);
  fmt::print("| search | seed | points | of them on their front | hypervolume |\n");
  fmt::print("| --- | ---: | ---: | ---: | ---: |\n");
  fmt::print("| every point | - | {} | {} | 100 % |\n", all.seen().size(), front.points().size());
  searchWith(study, "NSGA-II", Algorithm::Nsga2, front, box);
  searchWith(study, "MOEA/D", Algorithm::Moead, front, box);
  searchWith(study, "random", Algorithm::Random, front, box);
}

}  // namespace
}  // namespace ipusim::search

int main(int argc, char* argv[]) {
  if (argc < 3) {
    std::fputs("usage: search_study SWEEP.toml DIR [JOBS]\n", stderr);
    return 2;
  }
  try {
    ipusim::search::run(argv[1], argv[2], argc > 3 ? std::stoull(argv[3]) : 1);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
