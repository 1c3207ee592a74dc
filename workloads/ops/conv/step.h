// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/ops/conv/planner/plan.h"
#include "workloads/ops/conv/views.h"

// What surrounds the serial steps of a planned convolution. Operands are oriented, which adds the
// dimensions and does the swap that a plan wants. The channels of oriented operands are cut into
// steps. All other transforms are those of a step.
// Source: graphcore/poplibs lib/poplin/Convolution.cpp, commit 7eac0f26 (MIT).

namespace ipusim::workloads {

/// The plan of one serial step: that of a convolution with the channels of a step, in one step.
/// A plan in one step is a convolution of oriented operands.
ConvPlan stepOf(const ConvPlan& plan);

/// `tensor` with the field dimensions that `transforms` add, and without those.
Tensor withExtraDims(Tensor tensor, const ConvTransforms& transforms);
Tensor withoutExtraDims(Tensor tensor, const ConvTransforms& transforms);

/// The operands with the dimensions that `transforms` add, and in each other's place when they are
/// swapped.
ConvOperands oriented(ConvOperands operands, const ConvTransforms& transforms);

/// The (groups, out channels, batch, field...) of the plan's own convolution, for that of the
/// oriented one. Zeros are the element `zero`.
Tensor withoutOrientation(Tensor result, const ConvPlan& plan, const Tensor& zero);

/// A dimension of a tensor in serial steps of equal size.
struct SerialDim {
  std::size_t dim;
  std::uint32_t steps;
  std::uint64_t size;  ///< of a step

  /// The part of `tensor` that step `index` takes. What the last steps have too much is the element
  /// `zero`.
  [[nodiscard]] Tensor part(const Tensor& tensor, std::uint32_t index, const Tensor& zero) const;
};

}  // namespace ipusim::workloads
