// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/windows/planned_convolution.h"

namespace ipusim::workloads {

namespace {

using Direction = ConvolutionNode::Direction;

// Batch and channels come before the field.
constexpr std::size_t kField = 2;

Tensor withFirstExchanged(const Tensor& tensor, std::size_t a, std::size_t b) {
  std::vector<std::size_t> order;
  for (std::size_t d = 0; d < tensor.shape().size(); ++d) order.push_back(d);
  std::swap(order[a], order[b]);
  return tensor.dimShuffle(order);
}

/// `tensor`, whose dimension `dim` has all groups, with the groups as a dimension of their own in
/// front.
Tensor inGroups(const Tensor& tensor, std::size_t dim, std::uint64_t groups) {
  Shape shape = tensor.shape();
  shape[dim] /= groups;
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(dim), groups);
  const Tensor split = tensor.reshape(shape);
  return dim == 0 ? split : withFirstExchanged(split, 0, dim);
}

/// A (batch, channels, field...) as (groups, channels, batch, field...).
Tensor activations(const Tensor& tensor, std::uint64_t groups) {
  return withFirstExchanged(inGroups(tensor, 1, groups), 1, 2);
}

Tensor reversed(const Tensor& tensor, std::size_t dim) {
  std::vector<Tensor> elements;
  for (std::uint64_t i = tensor.shape()[dim]; i-- > 0;) {
    elements.push_back(tensor.slice(i, i + 1, dim));
  }
  return concat(elements, dim);
}

/// (groups, a, b, ...) as (b, groups * a, ...).
Tensor withoutGroups(const Tensor& tensor) {
  const Tensor shuffled = withFirstExchanged(withFirstExchanged(tensor, 1, 2), 0, 1);
  Shape shape = shuffled.shape();
  shape[1] *= shape[2];
  shape.erase(shape.begin() + 2);
  return shuffled.reshape(shape);
}

ConvParams forwardParams(const ConvolutionNode& node, ElementType type) {
  ConvParams params;
  params.groups = node.shape.groups;
  params.batch = node.batch;
  params.in_chans = node.in_channels / node.shape.groups;
  params.out_chans = node.out_channels / node.shape.groups;
  params.input = params.output = type;
  const WindowMotion& motion = node.windowed.motion;
  for (std::size_t d = 0; d < node.windowed.field.size(); ++d) {
    ConvDim dim;
    dim.field = node.windowed.field[d];
    dim.kernel = node.windowed.window[d];
    dim.input.pad_lower = motion.padding_lower[d];
    dim.input.pad_upper = motion.padding_upper[d];
    dim.weights.dilation = motion.dilation[d];
    dim.output.stride = motion.stride[d];
    params.dims.push_back(dim);
  }
  return params;
}

/// The weights of a node, of all groups together, with channels exchanged and dimensions reversed;
/// or those back.
Tensor turned(const Tensor& weights) {
  Tensor result = withFirstExchanged(weights, 1, 2);
  for (std::size_t d = 1 + kField; d < result.shape().size(); ++d) result = reversed(result, d);
  return result;
}

}  // namespace

ConvProblem convProblemOf(const ConvolutionNode& node, ElementType type, bool is_training) {
  const ConvParams forward = forwardParams(node, type);
  ConvProblem problem;
  switch (node.direction) {
    case Direction::Forward:
      problem.params = forward;
      problem.pass = is_training ? ConvPass::TrainingFwd : ConvPass::InferenceFwd;
      break;
    case Direction::InputGradient:
      problem.params = backwardConv(canonicalConv(forward));
      problem.pass = is_training ? ConvPass::TrainingBwd : ConvPass::InferenceFwd;
      break;
    case Direction::WeightGradient:
      problem.params = weightUpdateConv(canonicalConv(forward));
      problem.pass = ConvPass::TrainingWu;
      break;
  }
  return problem;
}

ConvOperands plannedOperands(const ConvolutionNode& node, const std::vector<Tensor>& operands) {
  const std::uint64_t groups = node.shape.groups;
  const Tensor left = activations(operands[0], groups);
  switch (node.direction) {
    case Direction::Forward:
      break;
    case Direction::InputGradient:
      return {left, turned(inGroups(operands[1], 0, groups))};
    case Direction::WeightGradient:
      return {withFirstExchanged(left, 1, 2), activations(operands[1], groups)};
  }
  return {left, inGroups(operands[1], 0, groups)};
}

Tensor networkInput(const ConvolutionNode& node, const Tensor& input) {
  if (node.direction != Direction::WeightGradient) return withoutGroups(input);
  return withoutGroups(withFirstExchanged(input, 1, 2));
}

Tensor networkWeights(const ConvolutionNode& node, const Tensor& weights) {
  if (node.direction == Direction::WeightGradient) return withoutGroups(weights);
  const Tensor forward = node.direction == Direction::Forward ? weights : turned(weights);
  Shape shape = forward.shape();
  shape[1] *= shape[0];
  shape.erase(shape.begin());
  return forward.reshape(shape);
}

Tensor networkResult(const ConvolutionNode& node, const Tensor& result, const Shape& shape) {
  if (node.direction != Direction::WeightGradient) return withoutGroups(result);
  // (groups, out channels, in channels, kernel...), with the in channels as the batch.
  return result.reshape(shape);
}

}  // namespace ipusim::workloads
