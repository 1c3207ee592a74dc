// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/search/bisection.h"

#include <algorithm>
#include <string>

#include "base/numbers/bisection.h"
#include "ipusim/error.h"
#include "sim/studies/search/genome.h"

namespace ipusim::search {

namespace {

/// The axis of the objective; none where other axes than those that go together with it vary.
const sweep::Axis* bisectedAxis(const sweep::Sweep& sweep, const SearchOptions& options) {
  if (options.objectives.size() != 1) return nullptr;
  const sweep::Axis* found = nullptr;
  for (const sweep::Dimension& dimension : sweep.dimensions) {
    if (dimension.count() < 2) continue;
    const auto axis = std::find_if(
        dimension.axes.begin(), dimension.axes.end(),
        [&](const sweep::Axis& one) { return one.key == options.objectives.front().key; });
    const bool is_only = found == nullptr && axis != dimension.axes.end();
    if (!is_only || kindOf(dimension) == sweep::AxisKind::Categorical) return nullptr;
    found = &*axis;
  }
  return found;
}

bool ascends(const sweep::Axis& axis) {
  return std::stod(axis.values.front().toml) < std::stod(axis.values.back().toml);
}

}  // namespace

bool wantsBisection(const sweep::Sweep& sweep, const SearchOptions& options) {
  const bool is_possible = bisectedAxis(sweep, options) != nullptr;
  if (!options.algorithm) return is_possible;
  if (*options.algorithm != Algorithm::Bisect) return false;
  if (is_possible) return true;
  throw ConfigError(
      options.place +
      ".algorithm: wanted for bisect one objective that is an axis of numbers, and no "
      "other axis of several values; nsga2, moead and random search any space");
}

std::uint64_t bisectionPoints(std::uint64_t values) {
  std::uint64_t points = 0;
  for (; values > 0; values /= 2) ++points;
  return points;
}

std::vector<std::size_t> bisect(const sweep::Sweep& sweep, const SearchOptions& options,
                                Evaluator& evaluator) {
  const bool last_is_best =
      ascends(*bisectedAxis(sweep, options)) == options.objectives.front().maximize;
  const std::uint64_t values = sweep.numbers();
  std::vector<std::size_t> seen;
  static_cast<void>(lastThatHolds(0, values + 1, [&](std::uint64_t count) {
    const std::uint64_t number = last_is_best ? count - 1 : values - count;
    evaluator.look({number});
    seen.push_back(evaluator.seen().size());
    return evaluator.outcomeOf(number).feasible();
  }));
  evaluator.expectValues();
  return seen;
}

}  // namespace ipusim::search
