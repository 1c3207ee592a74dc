// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "poplar/detail/graph_api.hpp"
#include "poplar/detail/program_api.hpp"

namespace poplar {
namespace detail {

/// What happens to an operand along a dimension, in this order: see poplin/ConvParams.hpp.
struct OperandChange {
  std::size_t cut_lower;
  std::size_t cut_upper;
  std::size_t dilation;
  std::size_t pad_lower;
  std::size_t pad_upper;
  bool is_reversed;
};
struct ResultChange {
  std::size_t cut_lower;
  std::size_t cut_upper;
  std::size_t stride;
  std::size_t pad_lower;
  std::size_t pad_upper;
};
struct ConvolutionDim {
  std::size_t field;
  std::size_t kernel;
  OperandChange of_input;
  OperandChange of_kernel;
  ResultChange of_result;
};

/// The pass that a convolution belongs to.
enum class ConvolutionPass : std::uint8_t {
  None,
  InferenceForward,
  TrainingForward,
  TrainingBackward,
  TrainingWeights
};

/// A convolution, and how it is to be planned.
struct Convolution {
  std::size_t groups;
  std::size_t batch;
  std::size_t in_channels;   ///< of a group
  std::size_t out_channels;  ///< of a group
  TypeId input;
  TypeId output;
  TypeId partials;
  const ConvolutionDim* dims;
  std::size_t dim_count;
  ConvolutionPass pass;
  bool loads_128_bits;       ///< the matrix engine loads its weights by 128 bits a cycle
  double memory_proportion;  ///< the share of a tile's memory that temporary data may take
};
enum class ConvolutionOperand { Input, Weights };
struct ConvolutionOperands {
  const TensorData* input;    ///< (batch, channels of all groups, field...)
  const TensorData* weights;  ///< (groups, out channels, in channels, kernel...)
};

/// A new operand that lies as the plan wants it, or spread linearly where that wants no form of
/// it: the input (batch, channels of all groups, field...), or the weights (groups, out channels,
/// in channels, kernel...). Gives away a new reference.
TensorData* convolutionOperand(GraphData* graph, const Convolution& convolution,
                               ConvolutionOperand operand, Text name);

/// The result (batch, channels of all groups, field...) of operands that lie anyhow. Gives away new
/// references to it and to the steps.
TensorData* addConvolution(GraphData* graph, const Convolution& convolution,
                           const ConvolutionOperands& operands, Text name, ProgramData** program);

/// The gradient of the weights, (groups, out channels, in channels, kernel...), of a convolution
/// whose operands are its input and, as weights, the gradient of its result. Both are (batch,
/// channels of all groups, field...) and lie anyhow. Gives away new references to it and to the
/// steps.
TensorData* addWeightGradient(GraphData* graph, const Convolution& convolution,
                              const ConvolutionOperands& operands, Text name,
                              ProgramData** program);

}  // namespace detail
}  // namespace poplar
