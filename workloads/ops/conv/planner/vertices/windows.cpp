// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/vertices/windows.h"

#include <algorithm>

#include "models/ipu/cost/products/amp.h"
#include "models/ipu/cost/products/slic.h"

namespace ipusim::workloads {
namespace {

/// The number of kernel rows that the published planner pads to. When there are 16 engines, it
/// halves the rows of 8 engines that take fewer channels than weights, though the vertex takes as
/// many.
std::uint64_t paddedHeight(const Architecture& machine, const ConvCandidate& candidate) {
  const ConvVertex& vertex = candidate.vertex;
  const std::uint32_t height = ampKernelHeight(machine, candidate);
  const bool half_of_dual =
      height > 1 && vertex.conv_units * 2 == models::kDualAmpUnits &&
      models::ampUnits(machine, candidate.input, vertex.partials) == models::kDualAmpUnits;
  return half_of_dual ? height / 2 : height;
}

/// The kernel positions that the larger part lacks to whole windows of `window`.
std::uint64_t kernelPadding(std::uint64_t kernel, std::uint32_t parts, std::uint64_t window) {
  const std::uint64_t rest =
      std::max(kernel / parts % window, ceilDiv<std::uint64_t>(kernel, parts) % window);
  return (window - rest) % window;
}

/// The positions that SLIC reads of `positions`, with the zeros of their dilation and padding.
std::uint64_t paddedPositions(const CandidateDim& dim, std::uint64_t positions) {
  return 1 + (positions - 1) * dim.input_dilation + dim.input_padding;
}

}  // namespace

WindowZeros windowZeros(const Architecture& machine, const ConvCandidate& candidate,
                        const ConvPoint& point, const ConvShare& share) {
  const ConvVertex& vertex = candidate.vertex;
  const bool slic = vertex.method == ConvMethod::Slic;
  const std::uint64_t window =
      slic ? models::kSlicWindow
           : (vertex.method == ConvMethod::Amp ? paddedHeight(machine, candidate) : 1);
  if (window == 1) return {};
  const std::uint32_t padded_dim = slic ? candidate.dim_count - 1 : 0;
  std::uint64_t kernel = 1;
  std::uint64_t field = 1;
  for (std::uint32_t i = 0; i < candidate.dim_count; ++i) {
    const CandidateDim& dim = candidate.dims.at(i);
    const std::uint64_t padding =
        i == padded_dim ? kernelPadding(dim.kernel, point.partition.kernel.at(i), window) : 0;
    const std::uint64_t positions = share.field.at(i) + padding * dim.kernel_dilation;
    kernel *= share.kernel.at(i) + padding;
    field *= slic ? paddedPositions(dim, positions) : positions;
  }
  const std::uint64_t in_chans = share.in_groups * vertex.in_chans_per_group * share.conv_groups *
                                 vertex.conv_groups_per_group;
  const std::uint64_t out_chans = share.out_groups * vertex.partial_chans_per_group;
  return {(field - share.fieldPositions()) * share.batch * in_chans,
          (kernel - share.kernelPositions()) * in_chans * out_chans};
}

}  // namespace ipusim::workloads
