// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/text/json.h"
#include "sim/studies/search/exploration.h"

namespace ipusim::explore {

/// What the page of a search is drawn from: its points, objectives, front, generations and
/// sensitivities.
Json explorationPageData(const std::string& name, const Sweep& sweep, const SearchOptions& options,
                         const SweepStore& store, const Exploration& found);

}  // namespace ipusim::explore
