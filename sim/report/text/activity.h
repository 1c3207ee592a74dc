// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "base/text/json.h"
#include "ipusim/activity.h"

namespace ipusim::report {

constexpr std::size_t kActivityCounts = 16;

/// The counts with their names in JSON and CSV, in the order of both.
std::array<std::pair<const char*, std::uint64_t>, kActivityCounts> countsOf(
    const Activity& activity);

/// The counts as the members of an object.
Json activityJson(const Activity& activity);
/// Those above zero: most counts of most steps are zero.
Json stepActivityJson(const Activity& activity);

/// The columns of the counts, with a comma before each; and the cells of one row.
std::string activityHeader();
std::string activityCells(const Activity& activity);

}  // namespace ipusim::report
