// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "sim/base/config_reader.h"
#include "sim/explore/zip.h"
#include "sim/run/output_folder.h"
#include "sim/run/result.h"

namespace ipusim::explore {

/// One run config at every combination of the dimensions' values.
struct Sweep {
  std::filesystem::path run;
  std::vector<Dimension> dimensions;

  [[nodiscard]] std::uint64_t points() const;
};

/// Reads a sweep file: `run = PATH`, `[axes]` and, to have axes go together, `zip`. Throws
/// ConfigError for anything else in it, and where the run config is no TOML.
Sweep readSweep(const ConfigReader& config);

/// How many points came out how.
struct SweepCounts {
  std::uint64_t ok = 0;
  std::uint64_t does_not_fit = 0;
  std::uint64_t invalid = 0;  ///< the config is wrong at this point
  std::uint64_t failed = 0;   ///< a bug of ours
};

/// The table that `runSweep` writes.
constexpr const char* kResultsFile = "results.csv";

/// Runs the points one after the other, the last dimension fastest, and writes a row each: the
/// axes, the status (ok, does_not_fit, "invalid: reason", "failed: reason"), the scalars of the
/// result. A point that goes wrong is a row, never the end. `started` is told the number of each
/// point.
SweepCounts runSweep(const Sweep& sweep, run::Engine engine, const run::OutputFolder& folder,
                     const std::function<void(std::uint64_t)>& started);

}  // namespace ipusim::explore
