// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/networks/operations/windows/convolution.h"
#include "workloads/ops/conv/lower.h"

// The convolutions of networks, in their three directions, as the planner of convolutions knows
// them.

namespace ipusim::workloads {

/// The convolution that computes `node` on data of `type`. `is_training`: the network has a
/// backward pass.
ConvProblem convProblemOf(const ConvolutionNode& node, ElementType type, bool is_training);

/// The operands of the node as those of its planned convolution.
ConvOperands plannedOperands(const ConvolutionNode& node, const std::vector<Tensor>& operands);

/// The operands of the node for those of its planned convolution.
Tensor networkInput(const ConvolutionNode& node, const Tensor& input);
Tensor networkWeights(const ConvolutionNode& node, const Tensor& weights);

/// The result of the node, whose shape is `shape`, for that of its planned convolution.
Tensor networkResult(const ConvolutionNode& node, const Tensor& result, const Shape& shape);

}  // namespace ipusim::workloads
