// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sim/report/output_folder.h"
#include "sim/studies/sweep/sweep.h"
#include "sim/studies/sweep/sweep_store.h"

namespace ipusim::explore {

/// The table that a sweep writes.
constexpr const char* kResultsFile = "results.csv";

/// Whether a point is to be in a table.
using Wanted = std::function<bool(std::uint64_t)>;

/// Writes a row for each point that is in the store, points ascending: the axes, the status (ok,
/// does_not_fit, "invalid: reason", "failed: reason"), then the scalars of the result by their
/// dotted paths, columns in the order in which they first appear. No wall times. Row by row: the
/// table may be longer than memory.
void writeResults(const run::OutputFolder& folder, const Sweep& sweep, const SweepStore& store);

/// The same for some of the points, into a file of that name.
void writeTable(const run::OutputFolder& folder, const std::string& file, const Sweep& sweep,
                const SweepStore& store, const Wanted& wanted);

}  // namespace ipusim::explore
