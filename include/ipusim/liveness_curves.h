// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/units.h"

// Which bytes live when. A position is a place in program order, the body of a Repeat once.

namespace ipusim {

/// From `position` to the next change a tile holds `bytes` that do not live always.
struct LivenessChange {
  std::uint32_t position;
  Bytes bytes;

  friend bool operator==(const LivenessChange& a, const LivenessChange& b) {
    return a.position == b.position && a.bytes == b.bytes;
  }
};

/// The changes in the order of their positions. Nothing lives before the first.
using LivenessCurve = std::vector<LivenessChange>;

/// One curve per tile. Equal tiles share one.
struct LivenessCurves {
  std::vector<LivenessCurve> curves;         ///< each differs from all others
  std::vector<std::uint32_t> curve_of_tile;  ///< one entry per tile: into `curves`

  /// One entry per position of a program of that many: what `tile` holds there.
  [[nodiscard]] std::vector<Bytes> bytesOf(std::uint32_t tile, std::size_t positions) const;
  /// One entry per position: what all tiles hold there together.
  [[nodiscard]] std::vector<Bytes> total(std::size_t positions) const;
};

}  // namespace ipusim
