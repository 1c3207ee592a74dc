// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "base/text/json.h"
#include "sim/studies/sweep/store/results_csv.h"

namespace ipusim::sweep {

/// How many cells the page of a sweep holds. Points beyond are left out, and `left_out` says so.
constexpr std::size_t kMostPageCells = 1'000'000;

/// What the page of a sweep is drawn from: its points with their status and reason, a list of
/// columns, axes first, and what the points say, in sentences. A column has a value per point, a
/// number where its text is one and null where there is none; a column that has one value
/// everywhere has it once. `wanted` chooses the points that come first where not all have room.
Json pointsPageData(const std::string& name, const Sweep& sweep, const SweepStore& store,
                    const Wanted& wanted = {}, std::size_t most_cells = kMostPageCells);

}  // namespace ipusim::sweep
