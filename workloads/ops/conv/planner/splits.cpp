// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/splits.h"

#include <algorithm>
#include <limits>

#include "ipusim/units.h"

namespace ipusim::workloads {
namespace {

constexpr std::uint32_t kNoLimit = std::numeric_limits<std::uint32_t>::max();

/// The divisors, ascending.
std::vector<std::uint32_t> divisorsOf(std::uint32_t number) {
  std::vector<std::uint32_t> small;
  std::vector<std::uint32_t> large;
  for (std::uint32_t divisor = 1; divisor <= number / divisor; ++divisor) {
    if (number % divisor != 0) continue;
    small.push_back(divisor);
    if (divisor != number / divisor) large.push_back(number / divisor);
  }
  small.insert(small.end(), large.rbegin(), large.rend());
  return small;
}

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

std::vector<SplitPair> splitPairs(std::uint64_t grains, const SplitLimits& limits) {
  std::vector<SplitPair> pairs;
  for (const std::uint32_t total : usefulSplits(grains, kNoLimit)) {
    const auto part = ceilDiv<std::uint64_t>(grains, total);
    for (const std::uint32_t serial : divisorsOf(total)) {
      const std::uint32_t parallel = total / serial;
      if (parallel <= limits.parallel && serial <= limits.serial) {
        pairs.push_back({parallel, serial, part});
      }
    }
  }
  return pairs;
}

}  // namespace ipusim::workloads
