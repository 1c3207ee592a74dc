// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "poplar/detail/conv_api.hpp"
#include "poplin/ConvParams.hpp"
#include "poplin/MatMul.hpp"
#include "poplin/detail/options.hpp"
#include "popops/ElementWise.hpp"
#include "popops/Reduce.hpp"
#include "popops/ScaledAdd.hpp"

// Convolutions, planned and laid out by the planner of this project, which restates the published
// one. Activations are (batch, channels of all groups, field...), weights (groups, out channels, in
// channels, kernel...).

namespace poplin {

namespace detail {

inline poplar::detail::OperandChange changeOf(const ConvParams::InputTransform& transform,
                                              unsigned dimension) {
  return poplar::detail::OperandChange{
      transform.truncationLower[dimension], transform.truncationUpper[dimension],
      transform.dilation[dimension],        transform.paddingLower[dimension],
      transform.paddingUpper[dimension],    transform.flip[dimension]};
}

inline std::vector<poplar::detail::ConvolutionDim> dimsOf(const ConvParams& params) {
  params.validate();
  std::vector<poplar::detail::ConvolutionDim> dims;
  for (unsigned d = 0; d < params.inputFieldShape.size(); ++d) {
    const ConvParams::OutputTransform& out = params.outputTransform;
    dims.push_back(poplar::detail::ConvolutionDim{
        params.inputFieldShape[d], params.kernelShape[d], changeOf(params.inputTransform, d),
        changeOf(params.kernelTransform, d),
        poplar::detail::ResultChange{out.truncationLower[d], out.truncationUpper[d], out.stride[d],
                                     out.paddingLower[d], out.paddingUpper[d]}});
  }
  return dims;
}

inline poplar::detail::ConvolutionPass passOf(const poplar::OptionFlags& options) {
  const std::string pass = choiceOf(
      options, "pass", {"NONE", "INFERENCE_FWD", "TRAINING_FWD", "TRAINING_BWD", "TRAINING_WU"});
  if (pass == "INFERENCE_FWD") return poplar::detail::ConvolutionPass::InferenceForward;
  if (pass == "TRAINING_FWD") return poplar::detail::ConvolutionPass::TrainingForward;
  if (pass == "TRAINING_BWD") return poplar::detail::ConvolutionPass::TrainingBackward;
  if (pass == "TRAINING_WU") return poplar::detail::ConvolutionPass::TrainingWeights;
  return poplar::detail::ConvolutionPass::None;
}

/// The convolution with those options. `dims` must outlive it.
inline poplar::detail::Convolution convolutionOf(
    const ConvParams& params, const std::vector<poplar::detail::ConvolutionDim>& dims,
    const poplar::OptionFlags& options) {
  return poplar::detail::Convolution{
      params.numConvGroups,
      params.batchSize,
      params.inputChannelsPerConvGroup,
      params.outputChannelsPerConvGroup,
      params.inputType.id(),
      params.outputType.id(),
      partialsOf(options, params.inputType),
      dims.data(),
      dims.size(),
      passOf(options),
      choiceOf(options, "use128BitConvUnitLoad", {"false", "true"}) == "true",
      memoryProportionOf(options)};
}

inline poplar::Tensor convolutionOperand(poplar::Graph& graph, const ConvParams& params,
                                         poplar::detail::ConvolutionOperand which,
                                         const poplar::DebugContext& name,
                                         const poplar::OptionFlags& options) {
  const std::vector<poplar::detail::ConvolutionDim> dims = dimsOf(params);
  return poplar::Tensor(poplar::detail::Handle<poplar::detail::TensorData>(
      poplar::detail::convolutionOperand(graph.data(), convolutionOf(params, dims, options), which,
                                         poplar::detail::textOf(name))));
}

inline void expectShape(const char* operand, const poplar::Tensor& tensor,
                        std::vector<std::size_t> shape, const std::vector<std::size_t>& field,
                        const poplar::Type& type) {
  shape.insert(shape.end(), field.begin(), field.end());
  if (tensor.shape() == shape && tensor.elementType() == type) return;
  std::string wanted;
  for (std::size_t size : shape) wanted += (wanted.empty() ? "" : ",") + std::to_string(size);
  throw poputil::poplibs_error(std::string("convolution: wanted ") + operand + " of " +
                               type.toString() + " {" + wanted + "}, found " +
                               tensor.elementType().toString() + " " + tensor.shapeToString());
}

/// Weights with in and out channels exchanged, and the kernel reversed.
inline poplar::Tensor turnedWeights(const poplar::Tensor& weights) {
  poplar::Tensor turned = weights.dimShufflePartial({1, 2}, {2, 1});
  for (unsigned d = 3; d < weights.rank(); ++d) turned = turned.reverse(d);
  return turned;
}

/// The dimensions but that of the channels.
inline std::vector<std::size_t> allButChannels(const poplar::Tensor& activations) {
  std::vector<std::size_t> dims = {0};
  for (std::size_t d = 2; d < activations.rank(); ++d) dims.push_back(d);
  return dims;
}

}  // namespace detail

/// The input of a convolution, where its plan wants it.
inline poplar::Tensor createInput(poplar::Graph& graph, const ConvParams& params,
                                  const poplar::DebugContext& name = "input",
                                  const poplar::OptionFlags& options = {},
                                  PlanningCache* = nullptr) {
  return detail::convolutionOperand(graph, params, poplar::detail::ConvolutionOperand::Input, name,
                                    options);
}

/// The weights of a convolution, where its plan wants them.
inline poplar::Tensor createWeights(poplar::Graph& graph, const ConvParams& params,
                                    const poplar::DebugContext& name = "weights",
                                    const poplar::OptionFlags& options = {},
                                    PlanningCache* = nullptr) {
  return detail::convolutionOperand(graph, params, poplar::detail::ConvolutionOperand::Weights,
                                    name, options);
}

/// A bias for each channel of `activations`, spread linearly over the tiles.
inline poplar::Tensor createBiases(poplar::Graph& graph, const poplar::Tensor& activations,
                                   const poplar::DebugContext& name = "biases") {
  return graph.addVariable(activations.elementType(), {activations.dim(1)},
                           poplar::VariableMappingMethod::LINEAR, name);
}
inline poplar::Tensor createBiases(poplar::Graph& graph, const poplar::Tensor& activations,
                                   const ConvParams&, const poplar::DebugContext& name = "biases",
                                   const poplar::OptionFlags& = {}, PlanningCache* = nullptr) {
  return createBiases(graph, activations, name);
}

/// The input convolved with the weights; `turns_weights` exchanges their channels and reverses
/// their kernel first, as the gradient of the input wants them.
inline poplar::Tensor convolution(poplar::Graph& graph, const poplar::Tensor& input,
                                  const poplar::Tensor& weights, const ConvParams& params,
                                  bool turns_weights, poplar::program::Sequence& program,
                                  const poplar::DebugContext& name = "conv",
                                  const poplar::OptionFlags& options = {},
                                  PlanningCache* = nullptr) {
  const std::vector<poplar::detail::ConvolutionDim> dims = detail::dimsOf(params);
  const poplar::Tensor kernel = turns_weights ? detail::turnedWeights(weights) : weights;
  detail::expectShape("an input", input, {params.batchSize, params.getNumInputChans()},
                      params.inputFieldShape, params.inputType);
  detail::expectShape(
      "weights", kernel,
      {params.numConvGroups, params.outputChannelsPerConvGroup, params.inputChannelsPerConvGroup},
      params.kernelShape, params.inputType);
  poplar::detail::ProgramData* steps = nullptr;
  poplar::detail::TensorData* result = poplar::detail::addConvolution(
      graph.data(), detail::convolutionOf(params, dims, options),
      poplar::detail::ConvolutionOperands{input.data(), kernel.data()},
      poplar::detail::textOf(name), &steps);
  const poplar::Tensor out{poplar::detail::Handle<poplar::detail::TensorData>(result)};
  program.add(popops::detail::LibraryStep(steps));
  return out;
}
/// As convolution(), into a tensor that exists.
inline void convolutionWithOutput(poplar::Graph& graph, const poplar::Tensor& input,
                                  const poplar::Tensor& weights, const poplar::Tensor& output,
                                  const ConvParams& params, bool turns_weights,
                                  poplar::program::Sequence& program,
                                  const poplar::DebugContext& name = "conv",
                                  const poplar::OptionFlags& options = {},
                                  PlanningCache* = nullptr) {
  program.add(poplar::program::Copy(
      convolution(graph, input, weights, params, turns_weights, program, name, options), output));
}

/// Copies weights with their channels exchanged and their kernel reversed.
inline void weightsTransposeChansFlipXY(poplar::Graph&, const poplar::Tensor& from,
                                        const poplar::Tensor& to,
                                        poplar::program::Sequence& program,
                                        const poplar::DebugContext& name = "turned",
                                        const poplar::OptionFlags& = {}) {
  program.add(poplar::program::Copy(detail::turnedWeights(from), to, false, name));
}

/// Adds to each channel its bias, in place.
inline void addBias(poplar::Graph& graph, const poplar::Tensor& activations,
                    const poplar::Tensor& biases, poplar::program::Sequence& program,
                    const poplar::DebugContext& name = "bias", const poplar::OptionFlags& = {}) {
  if (activations.rank() < 2) {
    throw poputil::poplibs_error("addBias: wanted activations (batch, channels, field...), found " +
                                 activations.shapeToString());
  }
  std::vector<std::size_t> shape(activations.rank(), 1);
  shape[1] = biases.numElements();
  popops::addInPlace(graph, activations, biases.reshape(shape), program, name);
}

/// The gradient of the weights from that of the result and from the input of the convolution.
inline poplar::Tensor calculateWeightDeltas(poplar::Graph& graph, const poplar::Tensor& gradients,
                                            const poplar::Tensor& input, const ConvParams& params,
                                            poplar::program::Sequence& program,
                                            const poplar::DebugContext& name = "weightDeltas",
                                            const poplar::OptionFlags& options = {},
                                            PlanningCache* = nullptr) {
  const std::vector<poplar::detail::ConvolutionDim> dims = detail::dimsOf(params);
  detail::expectShape("an input", input, {params.batchSize, params.getNumInputChans()},
                      params.inputFieldShape, params.inputType);
  detail::expectShape("gradients", gradients, {params.batchSize, params.getNumOutputChans()},
                      params.getOutputFieldShape(), params.inputType);
  poplar::detail::ProgramData* steps = nullptr;
  poplar::detail::TensorData* result = poplar::detail::addWeightGradient(
      graph.data(), detail::convolutionOf(params, dims, options),
      poplar::detail::ConvolutionOperands{input.data(), gradients.data()},
      poplar::detail::textOf(name), &steps);
  const poplar::Tensor deltas{poplar::detail::Handle<poplar::detail::TensorData>(result)};
  program.add(popops::detail::LibraryStep(steps));
  return deltas;
}

/// weights += scale * their gradient. `Scale` is a float or a tensor of one element.
template <typename Scale>
void convolutionWeightUpdate(poplar::Graph& graph, const poplar::Tensor& gradients,
                             const poplar::Tensor& weights, const poplar::Tensor& input,
                             const ConvParams& params, const Scale& scale,
                             poplar::program::Sequence& program,
                             const poplar::DebugContext& name = "weightUpdate",
                             const poplar::OptionFlags& options = {}, PlanningCache* = nullptr) {
  popops::scaledAddTo(
      graph, weights,
      calculateWeightDeltas(graph, gradients, input, params, program, name, options), scale,
      program, name);
}

/// biases += scale * the sum of the gradients of each channel.
inline void convolutionBiasUpdate(poplar::Graph& graph, const poplar::Tensor& gradients,
                                  const poplar::Tensor& biases, float scale,
                                  const poplar::OptionFlags&, poplar::program::Sequence& program,
                                  const poplar::DebugContext& name = "biasUpdate") {
  const poplar::Tensor sums =
      popops::reduce(graph, gradients, biases.elementType(), detail::allButChannels(gradients),
                     popops::Operation::ADD, program, name);
  popops::scaledAddTo(graph, biases, sums, scale, program, name);
}

}  // namespace poplin
