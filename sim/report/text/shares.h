// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ipusim/result.h"

// Which variables fill a tile.

namespace ipusim::report {

/// How many variables a report names where nobody asks for all.
constexpr std::size_t kLargestShares = 5;

/// A variable with bytes on a tile.
struct Share {
  const VariableResult* variable;
  Bytes on_tile;
};

/// The variables with bytes on `tile`, the largest first. They point into `result`.
std::vector<Share> sharesOf(const Result& result, std::uint32_t tile);

/// The bytes of a variable on all tiles.
Bytes bytesOnAll(const VariableResult& variable);

/// The tile that decides whether the program fits: the one that is furthest over or, where it fits,
/// the one with the highest address, gaps included. The lowest numbered one of equals.
std::uint32_t decidingTile(const Result& result);

}  // namespace ipusim::report
