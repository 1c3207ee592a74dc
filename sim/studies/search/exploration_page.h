// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/text/json.h"
#include "sim/studies/search/exploration.h"

namespace ipusim::search {

/// What the page of a search is drawn from: its points, objectives, front, generations and
/// sensitivities.
Json explorationPageData(const std::string& name, const sweep::Sweep& sweep,
                         const SearchOptions& options, const sweep::SweepStore& store,
                         const Exploration& found);

}  // namespace ipusim::search
