// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ipusim/machine.h"
#include "workloads/ops/conv/planner/plan.h"

namespace ipusim::workloads {

/// A convolution after its transforms.
struct TransformedConv {
  ConvTransforms transforms;
  ConvParams params;
  /// Channels per group after the swap alone. The steps of a loop cannot be more than their grains.
  std::uint64_t in_chans_before;
  std::uint64_t out_chans_before;
};

/// `params` after the transforms up to the swap.
ConvParams swappedAsTold(const ConvParams& params, const ConvTransforms& transforms);

/// Turns each output position of a dimension into a field position, with all inputs that it needs
/// as in channels.
void expandDim(ConvParams& params, std::uint32_t index);

/// What is left when the transforms are done to canonical `params`. Which dimensions are flattened
/// follows from the other transforms; those told in `transforms` are ignored.
TransformedConv transformedConv(const ConvParams& params, const ConvTransforms& transforms);

/// All transforms that the published planner tries on a problem in canonical form, in its order. A
/// product has its two operand orders alone; where they are swapped, the field and the out channels
/// change places.
std::vector<TransformedConv> transformsOf(const Architecture& machine, const ConvProblem& problem);

}  // namespace ipusim::workloads
