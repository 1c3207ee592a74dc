// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/studies/search/evaluator.h"

namespace ipusim::search {

/// How much one axis, or axes that go together, change one objective around the best points.
struct Sensitivity {
  std::string axes;
  std::string objective;
  std::uint64_t neighbours = 0;  ///< feasible neighbours that were compared
  std::uint64_t infeasible = 0;  ///< infeasible neighbours: the constraints end there
  double mean_percent = 0;       ///< mean size of the changes
  /// The largest change, with its sign; objectives as results give them.
  double largest_percent = 0;
  std::string from;  ///< values of the axes before the largest change
  std::string to;
};

/// The best points of the front: one per objective, and the one nearest to the best of all.
std::vector<std::uint64_t> bestPoints(const Evaluator& evaluator,
                                      const std::vector<std::uint64_t>& front);

/// Moves each axis of the points alone, both ways, by a twentieth of its values and at least one
/// value. An axis without an order moves to each of its other values. Looks at all points it needs,
/// whatever the budget. The rows have the axes in the order of the file and the objectives in the
/// order of the options.
std::vector<Sensitivity> sensitivities(const sweep::Sweep& sweep, const SearchOptions& options,
                                       const std::vector<std::uint64_t>& points,
                                       Evaluator& evaluator);

/// axes,objective,neighbours,infeasible,mean_percent,largest_percent,from,to
std::string sensitivityCsv(const std::vector<Sensitivity>& rows);

}  // namespace ipusim::search
