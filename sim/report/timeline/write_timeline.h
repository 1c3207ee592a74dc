// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "base/config/config_reader.h"
#include "ipusim/observer.h"
#include "sim/run/simulate.h"

namespace ipusim::report {

struct TimelineFile {
  std::filesystem::path path;
  std::vector<std::uint32_t> tiles;  ///< besides those that it chooses
};

/// Simulates `experiment` with an observer that writes the timeline while it hears it. `next`,
/// which may be null, hears all too. Throws ConfigError for a tile that the machine has not, and
/// for a run on several IPUs or with layers that are programs of their own: nobody hears those.
///
/// Which tiles are shown depends on the times of all, so the closed form runs first. It gives the
/// times of the other engine and takes a small part of its time.
run::RunResult writeTimeline(const run::Experiment& experiment, const ConfigReader& config,
                             const TimelineFile& file, Observer* next,
                             const std::function<run::RunResult(Observer*)>& simulate);

}  // namespace ipusim::report
