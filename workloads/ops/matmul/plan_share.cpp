// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/plan_share.h"

namespace ipusim::workloads {

TileShare tileShare(const PlanCandidate& candidate, const MatmulPartition& partition) {
  const VertexMethod& method = candidate.method;
  const std::uint64_t in_parts = std::uint64_t{partition.in_chans} * partition.in_chans_serial;
  const std::uint64_t out_parts = std::uint64_t{partition.out_chans} * partition.out_chans_serial;
  TileShare share{};
  share.field =
      ceilDiv<std::uint64_t>(candidate.fieldGrains(), partition.field) * candidate.field_grain;
  share.in_groups = ceilDiv(candidate.inGroups(), in_parts);
  share.out_groups = ceilDiv(candidate.outGroups(), out_parts);
  share.conv_groups = ceilDiv<std::uint64_t>(candidate.convGroupGrains(), partition.conv_groups);

  const std::uint64_t in_chans = share.in_groups * method.in_chans_per_group;
  const std::uint64_t out_chans = share.out_groups * method.partial_chans_per_group;
  const std::uint64_t groups = share.conv_groups * method.conv_groups_per_group;
  share.inputs = share.field * in_chans * groups;
  share.weights = in_chans * out_chans * groups;
  share.partials = share.field * out_chans * groups;
  share.outputs = ceilDiv<std::uint64_t>(share.partials, partition.in_chans);
  return share;
}

std::uint64_t inputsPerTile(const PlanCandidate& candidate, std::uint32_t tiles) {
  const ConvSizes padded = candidate.padded();
  return ceilDiv<std::uint64_t>(padded.field * padded.in_chans * padded.groups, tiles);
}

std::uint64_t weightsPerTile(const PlanCandidate& candidate, std::uint32_t tiles) {
  const ConvSizes padded = candidate.padded();
  return ceilDiv<std::uint64_t>(padded.in_chans * padded.out_chans * padded.groups, tiles);
}

bool rearrangesBeforeSlicing(const PlanCandidate& candidate, const MatmulPartition& partition) {
  return partition.steps() > 1 && candidate.isFullyConnected() &&
         candidate.training == TrainingPlan::Separate;
}

}  // namespace ipusim::workloads
