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
};

/// Pairs whose product is a useful split of `grains` and whose `parallel` is at most `limit`, by
/// product, then by serial. Serial splits divide `channels`, since a loop's steps must be alike.
std::vector<SplitPair> splitPairs(std::uint64_t channels, std::uint64_t grains,
                                  std::uint32_t limit);

}  // namespace ipusim::workloads
