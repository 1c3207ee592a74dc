// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/config_reader.h"
#include "ipusim/units.h"
#include "sim/run/host_cost.h"

// What would make a program fit, found by trying it.

namespace ipusim::run {

/// A change with which the program fits.
struct AdvisedChange {
  std::string kind;  ///< such as "type" or "batch"
  std::string words;
  std::vector<Override> overrides;  ///< to add to those of the run
  Bytes max_tile;                   ///< the fullest tile, gaps between addresses included
  Bytes capacity;                   ///< of a tile
  double seconds = 0;               ///< what the program then takes
};

struct Advice {
  std::vector<AdvisedChange> changes;
  std::uint64_t tried = 0;     ///< changes that were compiled
  std::uint64_t left_out = 0;  ///< changes whose run would have gone over the limits of the search
};

/// Reads the config of the run with more overrides.
using ReadConfig = std::function<ConfigReader(const std::vector<Override>&)>;

/// Runs changes of `config`, whose program does not fit, on the closed form. Keeps the first change
/// of each kind with which it fits. Two kinds go together only where no kind is enough. The limits
/// hold for the estimates of all runs together, so that equal configs get equal advice.
Advice adviceFor(const ConfigReader& config, const ReadConfig& read, const HostLimits& limits);

}  // namespace ipusim::run
