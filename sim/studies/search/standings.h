// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/studies/search/front.h"
#include "sim/studies/search/search_options.h"
#include "sim/studies/sweep/store/sweep_store.h"
#include "sim/studies/sweep/sweep.h"

// How sure it is that a point is on the front. A rough objective such as area.die_mm2 has a value
// in each draw of the constants, at its key with the end _draws. All designs have the same draws,
// so that two of them are compared draw by draw.

namespace ipusim::search {

/// A share of draws above which a point off the front ties with it.
inline constexpr double kTieShare = 0.1;

/// A point on the front, or one that ties with it.
struct Standing {
  std::uint64_t number = 0;
  bool is_on_front = false;      ///< of the medians
  double undominated_share = 0;  ///< share of draws in which no point of the front dominates it
  /// Share of draws in which the first rough objective is better than that of the next point. None
  /// for the last one.
  std::optional<double> beats_next_share;
  std::vector<double> objectives;  ///< all to be minimised
};

/// The front and what ties with it, by the first objective. `feasible` holds the points of `front`.
/// Empty when no objective has draws.
std::vector<Standing> standings(const SearchOptions& options, const sweep::SweepStore& store,
                                const std::vector<Front::Point>& feasible,
                                const std::vector<std::uint64_t>& front);

/// The axes, the objectives, and how the point stands.
std::string standingsCsv(const sweep::Sweep& sweep, const SearchOptions& options,
                         const std::vector<Standing>& standings);

}  // namespace ipusim::search
