// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/networks/graph/operation.h"
#include "workloads/networks/operations/windows/window.h"

namespace ipusim::workloads {

/// A convolution in the sense of networks, which is a correlation: the kernel is not flipped.
struct ConvolutionShape {
  WindowMotion motion;
  std::uint64_t groups = 1;
};

/// (batch, in channels, field...) and (out channels, in channels / groups, kernel...) give (batch,
/// out channels, positions...).
OperationPointer convolution(const ConvolutionShape& shape);

/// The convolution that maps gradients of results to gradients of inputs; also called a
/// deconvolution: (batch, out channels, positions...) and the kernel of the convolution give a
/// tensor with the field `field`.
OperationPointer transposedConvolution(const ConvolutionShape& shape, const Shape& field);

/// The convolution that gives the gradient of a kernel of shape `kernel`: the input of the
/// convolution and the gradient of its result give a tensor of that shape.
OperationPointer convolutionWeightGradient(const ConvolutionShape& shape, const Shape& kernel);

/// What a node of a network computes, if it is a convolution in any direction.
struct ConvolutionNode {
  enum class Direction : std::uint8_t { Forward, InputGradient, WeightGradient };
  Direction direction;
  ConvolutionShape shape;
  std::uint64_t batch;
  std::uint64_t in_channels;   ///< all groups together, of the forward convolution
  std::uint64_t out_channels;  ///< all groups together, of the forward convolution
  WindowedField windowed;      ///< of the forward convolution
};

/// None for an operation that is no convolution.
std::optional<ConvolutionNode> convolutionOf(const Operation& operation,
                                             const TensorTypes& operands);

}  // namespace ipusim::workloads
