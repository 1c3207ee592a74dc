// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "sim/studies/reproduce/paper.h"
#include "sim/studies/sweep/run_sweep.h"
#include "sim/studies/validate/run_store.h"

namespace ipusim::reproduce {

/// How a reproduction runs.
struct Options {
  std::filesystem::path out;  ///< the folder for all that is kept and written
  std::uint64_t jobs = 1;     ///< processes at a time
  std::string program;        ///< the version of ipusim: results of two versions are not mixed
  bool plots = true;
};

/// Hears of the progress of a named stage several times a second. Its answer says whether to go on.
using Watch = std::function<sweep::StopRequest(const std::string& stage, const sweep::SweepState&)>;

/// The folder of a sweep, below the folder of the reproduction.
std::filesystem::path folderOf(const Options& options, const SweepFile& sweep);

/// What is known of a sweep.
struct SweepOutcome {
  bool done = false;  ///< no point is missing
  sweep::SweepCounts counts;
};

/// Computes the points of a sweep that its store does not have, writes its results.csv, and adds
/// the scalars of each point's result to `runs`.
SweepOutcome computeSweep(const SweepFile& file, const Options& options, const Watch& watch,
                          validate::RunStore& runs);

}  // namespace ipusim::reproduce
