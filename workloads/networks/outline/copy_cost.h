// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "workloads/networks/outline/sequence.h"

namespace ipusim::workloads {

/// What a function of nodes [begin, end) of a schedule would be worth, less the copies into it and
/// out of it: the sum over nodes of the value times the root of the bytes of all operands, minus
/// the roots of the bytes of what is copied for the operands and results of each node.
/// Source: graphcore/popart willow/src/subgraph/iosubgraphcostmodel.cpp (MIT).
class CopyCost {
 public:
  /// `bytes` has one entry per tensor. Both must outlive this object.
  CopyCost(const OutlineSchedule& schedule, const std::vector<std::uint64_t>& bytes);

  [[nodiscard]] double worth(std::size_t begin, std::size_t end) const;

 private:
  [[nodiscard]] double rootOf(std::size_t tensor) const;
  [[nodiscard]] double copies(std::size_t begin, std::size_t end) const;

  const OutlineSchedule& schedule_;
  const std::vector<std::uint64_t>& bytes_;
  std::vector<double> sums_;  ///< of the values of the nodes before each one
};

/// What nodes [begin, end) are worth as a function.
using FunctionWorth = std::function<double(std::size_t begin, std::size_t end)>;

/// Cuts each match to the part of its sequences that is worth most, shortest matches first. No cut
/// lies inside an earlier match. Drops parts of a value up to `threshold`. Ascending.
/// Source: graphcore/popart willow/include/popart/subgraph/prunematches.hpp (MIT).
std::vector<OutlineMatch> pruneMatches(std::vector<OutlineMatch> matches,
                                       const OutlineSchedule& schedule, const FunctionWorth& worth,
                                       double threshold);

}  // namespace ipusim::workloads
