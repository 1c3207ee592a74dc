// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/tensor.h"
#include "workloads/ops/conv/planner/plan.h"

// The transforms of a serial step's plan, done to tensors: those that follow the swap.

namespace ipusim::workloads {

/// The operands of a convolution: (groups, in channels, batch, field...) and (groups, out channels,
/// in channels, kernel...).
struct ConvOperands {
  Tensor input;
  Tensor weights;
};

class ConvViews {
 public:
  /// `plan` is that of a step: see stepOf. `zero` has one element, which stands for all zeros of
  /// the views.
  ConvViews(const ConvPlan& plan, Tensor zero);

  /// The operands of the transformed convolution. Kernel elements that are cut off are zeros.
  [[nodiscard]] ConvOperands transformed(ConvOperands operands) const;

  /// For a convolution whose only transform is to flatten: its input, for that of the step, and the
  /// (groups, in channels, batch, field...) of the step, for that of the transformed convolution.
  [[nodiscard]] Tensor asInput(const Tensor& input) const;
  [[nodiscard]] Tensor fromInput(const Tensor& input) const;

  /// The (groups, out channels, batch, field...) of the step, for that of the transformed
  /// convolution.
  [[nodiscard]] Tensor restored(Tensor result) const;

 private:
  /// A dimension that becomes out channels.
  struct Moved {
    std::uint32_t dim;
    ConvDim before;
  };

  [[nodiscard]] ConvOperands expanded(const ConvOperands& operands, const ConvDim& dim,
                                      std::size_t index) const;
  [[nodiscard]] Tensor positionsOf(const Tensor& input, const ConvDim& dim, std::size_t index,
                                   std::uint64_t kernel) const;
  [[nodiscard]] ConvOperands withoutCutKernel(ConvOperands operands) const;
  [[nodiscard]] Tensor flattened(const Tensor& input) const;
  [[nodiscard]] Tensor unflattened(const Tensor& result) const;
  [[nodiscard]] ConvOperands combined(const ConvOperands& operands) const;

  const ConvPlan& plan_;
  Tensor zero_;
  std::vector<Moved> expanded_;
  std::vector<Moved> out_chan_flattened_;  ///< of the swapped convolution
  ConvParams before_flatten_;
};

}  // namespace ipusim::workloads
