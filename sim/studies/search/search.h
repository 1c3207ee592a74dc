// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/studies/search/evaluator.h"

namespace ipusim::explore {

/// Looks for the Pareto front until the evaluator may look no more, or nothing new comes up. Gives
/// how many points had been seen after each generation, the first one random. The same options give
/// the same points in the same order, whatever is in the store. Throws ConfigError where a key that
/// is asked for has a value at no point that was seen.
///
/// An infeasible point is worse than every feasible one in all objectives, and than every one with
/// a smaller violation: constraint domination, by a penalty that the violation alone decides.
std::vector<std::size_t> search(const Sweep& sweep, const SearchOptions& options,
                                Evaluator& evaluator);

}  // namespace ipusim::explore
