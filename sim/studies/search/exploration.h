// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/report/output_folder.h"
#include "sim/studies/search/evaluator.h"
#include "sim/studies/search/front.h"
#include "sim/studies/search/sensitivity.h"

namespace ipusim::search {

/// A generation of a search. The last one is what was seen around the best points.
struct Generation {
  std::size_t seen = 0;    ///< points seen so far, earlier generations included
  std::size_t front = 0;   ///< points on the front of those seen
  double hypervolume = 0;  ///< hypervolume of that front, in the box of the last one
};

/// What a search found.
struct Exploration {
  std::vector<Generation> generations;
  std::vector<std::uint64_t> front;
  std::vector<Front::Point> feasible;  ///< all feasible points that were seen
  std::vector<Sensitivity> sensitivities;
};

/// Searches, then looks around the best points; better points found there join the front. A
/// bisection has no other points to look at. Throws Interrupted.
Exploration explore(const sweep::Sweep& sweep, const SearchOptions& options, Evaluator& evaluator);

/// Writes pareto.csv, hypervolume.csv and sensitivity.csv, and standings.csv where an objective is
/// rough.
void writeExploration(const report::OutputFolder& folder, const sweep::Sweep& sweep,
                      const SearchOptions& options, const sweep::SweepStore& store,
                      const Exploration& exploration);

}  // namespace ipusim::search
