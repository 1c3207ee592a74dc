// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/explore/sweep.h"
#include "sim/explore/sweep_store.h"

namespace ipusim::explore {

/// The table that a sweep writes.
constexpr const char* kResultsFile = "results.csv";

/// A row for each point that is in the store, points ascending: the axes, the status (ok,
/// does_not_fit, "invalid: reason", "failed: reason"), then the scalars of the result by their
/// dotted paths, columns in the order in which they first appear. No wall times.
std::string resultsCsv(const Sweep& sweep, const SweepStore& store);

}  // namespace ipusim::explore
