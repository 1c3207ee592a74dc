// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/search/exploration.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/studies/search/bisection.h"
#include "sim/studies/search/front.h"
#include "sim/studies/search/search.h"
#include "sim/studies/search/standings.h"
#include "sim/studies/sweep/store/results_csv.h"

namespace ipusim::search {

namespace {

std::vector<Generation> describe(const Evaluator& evaluator, const std::vector<std::size_t>& seen,
                                 const Front& last) {
  const Hypervolume hypervolume(last);
  std::vector<Generation> generations;
  generations.reserve(seen.size());
  Front front;
  Generation generation;
  for (const std::size_t count : seen) {
    bool is_new = false;
    for (; generation.seen < count; ++generation.seen) {
      is_new = front.add(evaluator, evaluator.seen()[generation.seen]) || is_new;
    }
    generation.front = front.points().size();
    if (is_new) generation.hypervolume = hypervolume.of(front);
    generations.push_back(generation);
  }
  return generations;
}

std::string hypervolumeCsv(const std::vector<Generation>& generations) {
  std::string text = "generation,points,front_points,hypervolume\n";
  for (std::size_t g = 0; g < generations.size(); ++g) {
    text += fmt::format("{},{},{},{:.6f}\n", g, generations[g].seen, generations[g].front,
                        generations[g].hypervolume);
  }
  return text;
}

}  // namespace

Exploration explore(const sweep::Sweep& sweep, const SearchOptions& options, Evaluator& evaluator) {
  Exploration found;
  std::vector<std::size_t> seen;
  if (wantsBisection(sweep, options)) {
    seen = bisect(sweep, options, evaluator);
  } else {
    seen = search(sweep, options, evaluator);
    evaluator.expectValues();
    const std::vector<std::uint64_t> best =
        bestPoints(evaluator, frontOf(evaluator, evaluator.seen()).numbers());
    found.sensitivities = sensitivities(sweep, options, best, evaluator);
  }
  if (evaluator.seen().size() > seen.back()) seen.push_back(evaluator.seen().size());
  const Front front = frontOf(evaluator, evaluator.seen());
  found.front = front.numbers();
  for (const std::uint64_t number : evaluator.seen()) {
    Outcome outcome = evaluator.outcomeOf(number);
    if (outcome.feasible()) found.feasible.push_back({number, std::move(outcome.objectives)});
  }
  found.generations = describe(evaluator, seen, front);
  return found;
}

void writeExploration(const report::OutputFolder& folder, const sweep::Sweep& sweep,
                      const SearchOptions& options, const sweep::SweepStore& store,
                      const Exploration& exploration) {
  sweep::writeTable(folder, "pareto.csv", sweep, store, [&](std::uint64_t number) {
    return std::binary_search(exploration.front.begin(), exploration.front.end(), number);
  });
  folder.write("hypervolume.csv", hypervolumeCsv(exploration.generations));
  folder.write("sensitivity.csv", sensitivityCsv(exploration.sensitivities));
  const std::vector<Standing> rough =
      standings(options, store, exploration.feasible, exploration.front);
  if (!rough.empty()) folder.write("standings.csv", standingsCsv(sweep, options, rough));
}

}  // namespace ipusim::search
