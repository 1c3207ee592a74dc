// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "workloads/networks/outline/sequence.h"

namespace ipusim::workloads {

/// Equal sequences of a schedule, each at least twice. Those of one match do not overlap and stand
/// for one another; those of two matches nest cleanly or have no node in common. Ascending in
/// value.
///
/// The candidate of the highest value is taken or makes smaller candidates. The discount for
/// sequences of exchanges between IPUs that run at the same time is left out: the graphs here have
/// none.
/// Source: graphcore/popart willow/src/subgraph/algo1.cpp (MIT).
std::vector<OutlineMatch> findMatches(const OutlineSchedule& schedule);

/// Of matches, ascending in value, those that are worth more than `threshold` beyond what the kept
/// matches in them are worth. Descending.
/// Source: graphcore/popart willow/src/subgraph/subgraphutil.cpp (MIT).
std::vector<OutlineMatch> aboveThreshold(const std::vector<OutlineMatch>& matches,
                                         std::size_t schedule_size, double threshold);

}  // namespace ipusim::workloads
