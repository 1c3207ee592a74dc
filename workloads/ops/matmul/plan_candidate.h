// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/ipu/machine.h"
#include "workloads/ops/matmul/plan.h"

namespace ipusim::workloads {

/// A vertex with its grains, and the convolution it is tried on: what stays fixed while the splits
/// are searched.
struct PlanCandidate {
  MatmulPass pass = MatmulPass::NoneMatmul;
  TrainingPlan training = TrainingPlan::Separate;
  OperandOrder order = OperandOrder::Swapped;
  models::ElementType input = models::ElementType::Float;
  models::ElementType output = models::ElementType::Float;
  ConvSizes conv{};
  VertexMethod method;
  std::uint32_t field_grain = 1;
  SerialSplits serial = SerialSplits::Allowed;

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
  /// The convolution in whole grains.
  [[nodiscard]] ConvSizes padded() const {
    return {conv.groups, fieldGrains() * field_grain, inGroups() * method.in_chans_per_group,
            outGroups() * method.partial_chans_per_group};
  }
};

/// The problem as a convolution.
ConvSizes convSizes(const MatmulProblem& problem, OperandOrder order);

/// The vertices worth trying for `problem`, fastest first by the engine's rate and what padding
/// leaves of it; for each, swapped operands first.
std::vector<PlanCandidate> planCandidates(const models::Machine& machine,
                                          const MatmulProblem& problem);

/// Those that a joint training plan can share between its three passes.
std::vector<PlanCandidate> jointCandidates(const models::Machine& machine,
                                           const MatmulProblem& problem);

}  // namespace ipusim::workloads
