// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ipusim/units.h"

// What would make a program fit: plain data.

namespace ipusim::run {

/// A change with which a program fits, or is faster.
struct AdvisedChange {
  std::string kind;  ///< such as "type" or "batch"
  std::string words;
  std::vector<std::string> settings;  ///< each as KEY=VALUE, to add to the overrides of the run
  Bytes max_tile;                     ///< the fullest tile, gaps between addresses included
  Bytes capacity;                     ///< of a tile
  double seconds = 0;                 ///< what a run of the program then takes
  std::uint64_t runs = 1;             ///< runs that do what one run without the change would do
};

struct Advice {
  std::vector<AdvisedChange> changes;
  std::uint64_t tried = 0;     ///< changes that were compiled
  std::uint64_t left_out = 0;  ///< changes that the limits of the search left untried
};

}  // namespace ipusim::run
