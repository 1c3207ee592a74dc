// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/machine.h"
#include "workloads/ops/matmul/plan.h"

namespace ipusim::workloads {

/// A vertex with its grains, and the convolution that it is tried on. These stay fixed while the
/// splits are searched.
struct PlanCandidate {
  MatmulPass pass = MatmulPass::NoneMatmul;
  TrainingPlan training = TrainingPlan::Separate;
  OperandOrder order = OperandOrder::Swapped;
  ElementType input = ElementType::Float;
  ElementType output = ElementType::Float;
  ConvSizes conv{};
  VertexMethod method;
  std::uint32_t field_grain = 1;
  SerialSplits serial = SerialSplits::Allowed;
  /// Groups of the product that are combined in each group of `conv`.
  std::uint32_t combined_groups = 1;

  [[nodiscard]] bool isFullyConnected() const { return pass != MatmulPass::NoneMatmul; }
  [[nodiscard]] std::uint64_t fieldGrains() const {
    return ceilDiv<std::uint64_t>(conv.field, field_grain);
  }
  [[nodiscard]] std::uint64_t inGroups() const {
    return ceilDiv<std::uint64_t>(conv.in_chans, method.in_chans_per_group);
  }
  [[nodiscard]] std::uint64_t outGroups() const {
    return ceilDiv<std::uint64_t>(conv.out_chans, method.partial_chans_per_group);
  }
  [[nodiscard]] std::uint64_t convGroupGrains() const {
    return ceilDiv<std::uint64_t>(conv.groups, method.conv_groups_per_group);
  }
  /// The most steps of a loop over in channels, and of one over out channels. Combining groups adds
  /// none.
  [[nodiscard]] std::uint64_t mostInSteps() const {
    return ceilDiv<std::uint64_t>(conv.in_chans / combined_groups, method.in_chans_per_group);
  }
  [[nodiscard]] std::uint64_t mostOutSteps() const {
    return ceilDiv<std::uint64_t>(conv.out_chans / combined_groups, method.partial_chans_per_group);
  }
  /// True when the vertex takes `grains` in-channel groups on a tile. An outer product sums
  /// nothing, and a window is held for one group.
  [[nodiscard]] bool takesInGroups(std::uint64_t grains) const {
    const bool one = method.kind == MatmulMethod::OuterProduct || method.kind == MatmulMethod::Slic;
    return !one || grains == 1;
  }
  [[nodiscard]] bool takesOutGroups(std::uint64_t grains) const {
    const bool one = method.kind == MatmulMethod::Slic || method.kind == MatmulMethod::Vmac;
    return !one || grains == 1;
  }
  /// The convolution, padded to whole grains.
  [[nodiscard]] ConvSizes padded() const {
    return {convGroupGrains() * method.conv_groups_per_group, fieldGrains() * field_grain,
            inGroups() * method.in_chans_per_group, outGroups() * method.partial_chans_per_group};
  }
};

/// The AMP method for groups of `in_chans` channels.
MatmulMethod ampMethod(const Architecture& machine, ElementType input, std::uint32_t in_chans);

constexpr bool isAmp(MatmulMethod method) {
  return method == MatmulMethod::Amp || method == MatmulMethod::AmpNx1;
}

/// The problem as a convolution.
ConvSizes convSizes(const MatmulProblem& problem, OperandOrder order);

/// The vertices that are worth trying for `problem`. Those with swapped operands come first, among
/// these those with the fewest groups combined, and among these the fastest by the engine's rate
/// and by what padding leaves.
std::vector<PlanCandidate> planCandidates(const Architecture& machine,
                                          const MatmulProblem& problem);

/// The candidates that a joint training plan can share between its three passes.
std::vector<PlanCandidate> jointCandidates(const Architecture& machine,
                                           const MatmulProblem& problem);

}  // namespace ipusim::workloads
