// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/order.h"

#include <algorithm>
#include <array>

namespace ipusim::workloads {
namespace {

/// The number of numbers of a partition.
constexpr std::size_t kSplits = 2 * kMaxFieldDims + 6;

/// The splits of a partition in the order in which the published planner lists them.
std::array<std::uint64_t, kSplits> splitsOf(const ConvPartition& p) {
  return {p.field[0],         p.kernel[0], p.field[1],    p.kernel[1], p.field[2],
          p.kernel[2],        p.batch,     p.conv_groups, p.out_chans, p.in_chans_serial,
          p.out_chans_serial, p.in_chans};
}

/// How many values each split may have.
std::array<std::uint64_t, kSplits> domainsOf(const ConvCandidate& c) {
  const auto& d = c.dims;
  return {d[0].outputGrains(), d[0].kernel, d[1].outputGrains(), d[1].kernel,   d[2].outputGrains(),
          d[2].kernel,         c.batch,     c.groupGrains(),     c.outGrains(), c.most_in_steps,
          c.most_out_steps,    c.inGrains()};
}

}  // namespace

bool isTriedBefore(const ConvCandidate& candidate, const ConvPartition& a, const ConvPartition& b) {
  const auto domains = domainsOf(candidate);
  const auto splits_a = splitsOf(a);
  const auto splits_b = splitsOf(b);
  std::array<std::size_t, kSplits> order{};
  for (std::size_t i = 0; i < kSplits; ++i) order.at(i) = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return domains.at(i) < domains.at(j); });
  for (const std::size_t i : order) {
    if (splits_a.at(i) != splits_b.at(i)) return splits_a.at(i) < splits_b.at(i);
  }
  return false;
}

}  // namespace ipusim::workloads
