// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/planner/many.h"

#include <map>
#include <tuple>

namespace ipusim::workloads {

namespace {

// Source: as workerQuota().
constexpr std::uint64_t kCrowdedQuota = 2;  ///< workers of each of more reductions than workers

}  // namespace

std::vector<std::vector<std::size_t>> concatenated(
    const std::vector<ConcatenationKey>& reductions) {
  std::vector<std::vector<std::size_t>> groups;
  std::map<std::tuple<models::ReduceOp, models::ReduceInto, ElementType, ElementType, std::uint64_t,
                      std::size_t>,
           std::size_t>
      group_of;
  for (std::size_t r = 0; r < reductions.size(); ++r) {
    const auto& [op, into, input, output, rows, scale] = reductions[r];
    const auto found =
        group_of.try_emplace({op, into, input, output, rows, scale}, groups.size()).first;
    if (found->second == groups.size()) groups.emplace_back();
    groups[found->second].push_back(r);
  }
  return groups;
}

std::uint64_t workerQuota(const TileCore& core, std::uint64_t merged, std::uint64_t total) {
  if (total > core.workers_per_tile) return kCrowdedQuota;
  return ceilDiv(core.workers_per_tile * merged, total);
}

}  // namespace ipusim::workloads
