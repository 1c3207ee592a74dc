// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace ipusim::workloads {

/// The useful ways to split `grains` in at most `limit` parts, ascending. These are the s =
/// ceil(grains / ceil(grains / s)): any other s has an equally large largest part and uses more
/// tiles.
std::vector<std::uint32_t> usefulSplits(std::uint64_t grains, std::uint32_t limit);

/// A split into parts side by side, and one into steps of a loop.
struct SplitPair {
  std::uint32_t parallel;
  std::uint32_t serial;
  std::uint64_t grains;  ///< grains of the largest part
};

/// The most parts of a split, side by side and in a loop.
struct SplitLimits {
  std::uint32_t parallel;
  std::uint32_t serial;
};

/// Pairs whose product is a useful split of `grains`, sorted by product, then by serial. Neither
/// the factors nor their product need divide the grains.
std::vector<SplitPair> splitPairs(std::uint64_t grains, const SplitLimits& limits);

}  // namespace ipusim::workloads
