// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/studies/search/evaluator.h"

namespace ipusim::explore {

/// What one axis (or axes that go together) does to one objective around the best points.
struct Sensitivity {
  std::string axes;
  std::string objective;
  std::uint64_t neighbours = 0;  ///< feasible ones that were compared
  std::uint64_t infeasible = 0;  ///< others: the constraints end here
  double mean_percent = 0;       ///< of the sizes of the changes
  double largest_percent = 0;    ///< with its sign; objectives as results say them
  std::string from;              ///< where the largest change was: the axes' values
  std::string to;
};

/// The best point of the front for each objective, and the one nearest to the best of all.
std::vector<std::uint64_t> bestPoints(const Evaluator& evaluator,
                                      const std::vector<std::uint64_t>& front);

/// Moves each axis of the points alone: by a step of a twentieth of its values, at least one, both
/// ways, or where its values have no order to each of the others. Looks at what it needs, whatever
/// the budget. Axes as in the file, objectives as in the options.
std::vector<Sensitivity> sensitivities(const Sweep& sweep, const SearchOptions& options,
                                       const std::vector<std::uint64_t>& points,
                                       Evaluator& evaluator);

/// axes,objective,neighbours,infeasible,mean_percent,largest_percent,from,to
std::string sensitivityCsv(const std::vector<Sensitivity>& rows);

}  // namespace ipusim::explore
