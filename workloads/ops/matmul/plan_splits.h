// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace ipusim::workloads {

/// Ways to split `grains`, at most `limit`, ascending: only s = ceil(grains / ceil(grains / s)),
/// since any other s leaves the largest part as it is and uses more tiles.
std::vector<std::uint32_t> usefulSplits(std::uint64_t grains, std::uint32_t limit);

/// A split side by side and one in a loop.
struct SplitPair {
  std::uint32_t parallel;
  std::uint32_t serial;
  std::uint64_t grains;  ///< of the largest part
};

/// The most parts of a split, side by side and in a loop.
struct SplitLimits {
  std::uint32_t parallel;
  std::uint32_t serial;
};

/// Pairs whose product is a useful split of `grains`, by product, then by serial. Neither
/// factor need divide the grains, as their product need not.
std::vector<SplitPair> splitPairs(std::uint64_t grains, const SplitLimits& limits);

}  // namespace ipusim::workloads
