// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "workloads/ops/matmul/plan.h"
#include "workloads/ops/matmul/plan_candidate.h"

namespace ipusim::workloads {

/// One point of the search.
struct PlanPoint {
  MatmulPartition partition;
  InputBroadcast broadcast = InputBroadcast::EachStep;
};

/// What the fullest tile has in one serial step.
struct TileShare {
  std::uint64_t field;        ///< positions
  std::uint64_t in_groups;    ///< groups of in_chans_per_group
  std::uint64_t out_groups;   ///< groups of partial_chans_per_group
  std::uint64_t conv_groups;  ///< groups of conv_groups_per_group
  std::uint64_t inputs;       ///< elements
  std::uint64_t weights;      ///< elements
  std::uint64_t partials;     ///< elements
  std::uint64_t outputs;      ///< elements that are left when the in-channel parts are summed
};
TileShare tileShare(const PlanCandidate& candidate, const MatmulPartition& partition);

/// Elements of an operand, padded to grains and spread over the tiles in use.
std::uint64_t inputsPerTile(const PlanCandidate& candidate, std::uint32_t tiles);
std::uint64_t weightsPerTile(const PlanCandidate& candidate, std::uint32_t tiles);

/// True when a loop slices weights that must first be brought to their layout. A layer that is not
/// planned with the other passes of its training step hands them over in another layout.
bool rearrangesBeforeSlicing(const PlanCandidate& candidate, const MatmulPartition& partition);

}  // namespace ipusim::workloads
