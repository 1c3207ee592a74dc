// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/share.h"

#include <algorithm>

namespace ipusim::workloads {

std::uint64_t inputExtent(const CandidateDim& dim, std::uint64_t outputs, std::uint64_t kernel) {
  if (dim.moved) return outputs;
  if (outputs == dim.outputs && kernel == dim.kernel) return dim.used_inputs;
  const std::uint64_t reach = (outputs - 1) * dim.stride + (kernel - 1) * dim.kernel_dilation;
  return std::min(reach / dim.input_dilation + 1, dim.used_inputs);
}

ConvShare shareOf(const ConvCandidate& candidate, const ConvPartition& partition) {
  const ConvVertex& vertex = candidate.vertex;
  ConvShare share{};
  std::uint64_t extents = 1;
  for (std::size_t i = 0; i < kMaxFieldDims; ++i) {
    const CandidateDim& dim = candidate.dims[i];
    share.field[i] = ceilDiv<std::uint64_t>(dim.outputGrains(), partition.field[i]) * dim.grain;
    share.kernel[i] = ceilDiv<std::uint64_t>(dim.kernel, partition.kernel[i]);
    extents *= inputExtent(dim, share.field[i], share.kernel[i]);
  }
  const std::uint64_t in_parts = std::uint64_t{partition.in_chans} * partition.in_chans_serial;
  const std::uint64_t out_parts = std::uint64_t{partition.out_chans} * partition.out_chans_serial;
  share.batch = ceilDiv<std::uint64_t>(candidate.batch, partition.batch);
  share.conv_groups = ceilDiv<std::uint64_t>(candidate.groupGrains(), partition.conv_groups);
  share.in_groups = ceilDiv(candidate.inGrains(), in_parts);
  share.out_groups = ceilDiv(candidate.outGrains(), out_parts);

  const std::uint64_t in_chans = share.in_groups * vertex.in_chans_per_group;
  const std::uint64_t out_chans = share.out_groups * vertex.partial_chans_per_group;
  const std::uint64_t groups = share.conv_groups * vertex.conv_groups_per_group;
  share.inputs = extents * share.batch * in_chans * groups;
  share.weights = share.kernelPositions() * in_chans * out_chans * groups;
  share.partials = share.fieldPositions() * share.batch * out_chans * groups;
  share.outputs = ceilDiv<std::uint64_t>(share.partials, partition.reductionDepth());
  return share;
}

std::uint64_t inputsPerTile(const ConvCandidate& candidate, std::uint32_t tiles) {
  std::uint64_t elements = candidate.batch * candidate.paddedIn() * candidate.paddedGroups();
  for (const CandidateDim& dim : candidate.dims) elements *= dim.used_inputs;
  return ceilDiv<std::uint64_t>(elements, tiles);
}

std::uint64_t weightsPerTile(const ConvCandidate& candidate, std::uint32_t tiles) {
  std::uint64_t elements = candidate.paddedIn() * candidate.paddedOut() * candidate.paddedGroups();
  for (const CandidateDim& dim : candidate.dims) elements *= dim.kernel;
  return ceilDiv<std::uint64_t>(elements, tiles);
}

}  // namespace ipusim::workloads
