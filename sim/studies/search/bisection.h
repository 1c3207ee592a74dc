// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/studies/search/evaluator.h"

namespace ipusim::search {

/// Whether a search halves the range of an axis: where that axis of numbers is all that varies and
/// the only objective too, as where the largest batch that fits is asked for, and no other
/// algorithm is named. Throws ConfigError where it is asked for and cannot be.
bool wantsBisection(const sweep::Sweep& sweep, const SearchOptions& options);

/// How many points a bisection of an axis with `values` looks at, at most.
std::uint64_t bisectionPoints(std::uint64_t values);

/// Where wantsBisection() holds: finds the best value of that axis at which the constraints hold.
/// They hold up to that value and not beyond it. Returns how many points had been seen after each
/// of them. Throws ConfigError when a key that is asked for has a value at no point that was seen,
/// and Interrupted.
std::vector<std::size_t> bisect(const sweep::Sweep& sweep, const SearchOptions& options,
                                Evaluator& evaluator);

}  // namespace ipusim::search
