// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/run/detail/program_detail.h"

namespace ipusim::run {

/// Consecutive tiles that a detail counts as one, so that it stays small.
struct TileBands {
  std::uint32_t tiles = 0;
  std::uint32_t tiles_per_band = 1;

  [[nodiscard]] std::uint32_t count() const {
    return (tiles + tiles_per_band - 1) / tiles_per_band;
  }
  [[nodiscard]] std::uint32_t of(std::uint32_t tile) const { return tile / tiles_per_band; }
};

/// One tile per band for a program of few steps. Otherwise so many that bands times steps stay
/// below a limit.
TileBands bandsFor(std::uint32_t tiles, std::size_t steps);

/// Adds the value of the next band.
inline void append(std::uint64_t value, BandValues& runs) {
  if (!runs.empty() && runs.back().value == value) {
    ++runs.back().count;
  } else {
    runs.push_back({1, value});
  }
}

}  // namespace ipusim::run
