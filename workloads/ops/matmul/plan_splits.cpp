// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/plan_splits.h"

#include <algorithm>
#include <limits>

#include "sim/base/units.h"

namespace ipusim::workloads {
namespace {

constexpr std::uint32_t kNoLimit = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::vector<std::uint32_t> usefulSplits(std::uint64_t grains, std::uint32_t limit) {
  std::vector<std::uint32_t> splits;
  const std::uint64_t most = std::min<std::uint64_t>(grains, limit);
  for (std::uint64_t split = 1; split <= most;) {
    splits.push_back(static_cast<std::uint32_t>(split));
    const std::uint64_t part = ceilDiv(grains, split);
    if (part == 1) break;
    split = ceilDiv(grains, part - 1);
  }
  return splits;
}

std::vector<SplitPair> splitPairs(std::uint64_t channels, std::uint64_t grains,
                                  std::uint32_t limit) {
  std::vector<std::uint32_t> divisors;
  for (std::uint64_t divisor = 1; divisor <= grains; ++divisor) {
    if (channels % divisor == 0) divisors.push_back(static_cast<std::uint32_t>(divisor));
  }
  std::vector<SplitPair> pairs;
  for (const std::uint32_t total : usefulSplits(grains, kNoLimit)) {
    for (const std::uint32_t serial : divisors) {
      if (total % serial == 0 && total / serial <= limit) pairs.push_back({total / serial, serial});
    }
  }
  return pairs;
}

}  // namespace ipusim::workloads
