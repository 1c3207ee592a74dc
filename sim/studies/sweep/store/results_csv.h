// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sim/report/output_folder.h"
#include "sim/studies/sweep/store/sweep_store.h"
#include "sim/studies/sweep/sweep.h"

namespace ipusim::sweep {

/// The table that a sweep writes.
constexpr const char* kResultsFile = "results.csv";

/// True when a point is to be in a table.
using Wanted = std::function<bool(std::uint64_t)>;

/// Writes one row per point in the store, in ascending order. A row has the axes, the status (ok,
/// does_not_fit, "invalid: reason" or "failed: reason"), then the scalars of the result under their
/// dotted paths. Columns are in the order in which they first appear. Wall times are left out. The
/// rows are written one by one: the table may be larger than memory.
void writeResults(const report::OutputFolder& folder, const Sweep& sweep, const SweepStore& store);

/// Writes the rows of the points that are `wanted` into `file`.
void writeTable(const report::OutputFolder& folder, const std::string& file, const Sweep& sweep,
                const SweepStore& store, const Wanted& wanted);

}  // namespace ipusim::sweep
