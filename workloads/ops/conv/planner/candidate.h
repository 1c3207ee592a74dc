// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ipusim/machine.h"
#include "workloads/ops/conv/planner/plan.h"
#include "workloads/ops/conv/planner/transforms.h"

namespace ipusim::workloads {

/// What the estimates know of a dimension of the transformed convolution.
struct CandidateDim {
  std::uint64_t outputs = 1;
  std::uint64_t kernel = 1;
  std::uint64_t used_inputs = 1;  ///< inputs that any output needs
  std::uint64_t stride = 1;
  std::uint64_t input_dilation = 1;
  std::uint64_t kernel_dilation = 1;
  std::uint64_t input_padding = 0;  ///< at both ends
  std::uint64_t multiplied = 1;     ///< pairs of an output and a kernel element that meet no zero
  /// The dilation and the stride that vertices see: 1 in a dimension that was moved.
  std::uint64_t tile_dilation = 1;
  std::uint64_t tile_stride = 1;
  bool moved = false;  ///< inputs of a tile are those of its outputs, without a halo
  std::uint32_t grain = 1;

  [[nodiscard]] std::uint64_t outputGrains() const {
    return ceilDiv<std::uint64_t>(outputs, grain);
  }
};

/// What stays fixed while splits are searched: a vertex with its grains, and the transformed
/// convolution that it is tried on.
struct ConvCandidate {
  ConvPass pass = ConvPass::None;
  ElementType input = ElementType::Half;
  ElementType output = ElementType::Half;
  /// The type of partials that the problem asks for, and the type that tiles exchange.
  ElementType partials = ElementType::Half;
  ElementType tile_result = ElementType::Half;
  ConvVertex vertex;
  std::uint32_t dim_count = 2;
  std::array<CandidateDim, kMaxFieldDims> dims;
  std::uint64_t groups = 1;
  std::uint64_t batch = 1;
  std::uint64_t in_chans = 1;
  std::uint64_t out_chans = 1;
  /// The most steps of a loop over in channels, and of one over out channels.
  std::uint64_t most_in_steps = 1;
  std::uint64_t most_out_steps = 1;
  bool swapped = false;
  bool expanded = false;
  bool out_chan_flattened = false;
  bool combined = false;
  bool joint = false;  ///< one of the three passes that share a partition
  /// True when an output transform is left, or padding of the output.
  bool has_output_transform = false;
  bool has_output_padding = false;
  bool flips_or_dilates_input = false;
  std::uint64_t multiply_rate = 1;  ///< the most multiply-adds of a tile per cycle
  /// Multiply-adds of the convolution, padded to whole grains, but for those that meet zeros along
  /// a dimension.
  std::uint64_t multiply_adds = 1;

  [[nodiscard]] const CandidateDim& innermost() const { return dims.at(dim_count - 1); }
  [[nodiscard]] std::uint64_t groupGrains() const {
    return ceilDiv<std::uint64_t>(groups, vertex.conv_groups_per_group);
  }
  [[nodiscard]] std::uint64_t inGrains() const {
    return ceilDiv<std::uint64_t>(in_chans, vertex.in_chans_per_group);
  }
  [[nodiscard]] std::uint64_t outGrains() const {
    return ceilDiv<std::uint64_t>(out_chans, vertex.partial_chans_per_group);
  }
  /// Channels and groups, padded to whole grains.
  [[nodiscard]] std::uint64_t paddedGroups() const {
    return groupGrains() * vertex.conv_groups_per_group;
  }
  [[nodiscard]] std::uint64_t paddedIn() const { return inGrains() * vertex.in_chans_per_group; }
  [[nodiscard]] std::uint64_t paddedOut() const {
    return outGrains() * vertex.partial_chans_per_group;
  }
  /// True when a loop slices weights that must first be brought to their layout. A layer that is
  /// not planned with the other passes of its training step hands them over in another layout.
  [[nodiscard]] bool rearrangesBeforeSlicing() const { return isFullyConnected(pass) && !joint; }
  /// True when the vertex takes one group of in channels on a tile, or one of out channels.
  [[nodiscard]] bool takesOneInGroup() const {
    return vertex.method == ConvMethod::OuterProduct || vertex.method == ConvMethod::Slic;
  }
  [[nodiscard]] bool takesOneOutGroup() const {
    return vertex.method == ConvMethod::Vmac || vertex.method == ConvMethod::Slic;
  }
};

/// The kernel rows that fill the weights of an AMP engine.
std::uint32_t ampKernelHeight(const Architecture& machine, const ConvCandidate& candidate);

/// The candidate of `vertex` for the transformed convolution.
ConvCandidate candidateOf(const Architecture& machine, const ConvProblem& problem,
                          const TransformedConv& conv, const ConvVertex& vertex);

/// The vertices that the published planner tries, best first by the engine's rate and by what
/// padding leaves.
std::vector<ConvCandidate> candidatesOf(const Architecture& machine, const ConvProblem& problem,
                                        const TransformedConv& conv);

}  // namespace ipusim::workloads
