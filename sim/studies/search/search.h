// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/studies/search/evaluator.h"

namespace ipusim::search {

/// Searches for the Pareto front until the budget of the evaluator is spent or nothing new comes
/// up. Returns how many points had been seen after each generation; the first generation is random.
/// Equal options give equal points in the same order, whatever the store has. Throws ConfigError
/// when a key that is asked for has a value at no point that was seen.
///
/// An infeasible point is worse in all objectives than every feasible one, and than every point
/// with a smaller violation. This is constraint domination by a penalty that the violation alone
/// decides.
std::vector<std::size_t> search(const sweep::Sweep& sweep, const SearchOptions& options,
                                Evaluator& evaluator);

}  // namespace ipusim::search
