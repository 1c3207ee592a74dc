// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <numeric>
#include <optional>

#include "ipusim/error.h"
#include "poplar/detail/conv_api.hpp"
#include "poplar/exceptions.hpp"
#include "poplar/runtime/graph/element_bytes.h"
#include "poplar/runtime/graph/operand_place.h"
#include "poplar/runtime/library/library_steps.h"
#include "workloads/ops/conv/lower.h"

namespace poplar::detail {

namespace {

namespace workloads = ipusim::workloads;
using ipusim::Tensor;

workloads::OperandTransform transformOf(const OperandChange& change) {
  return {change.cut_lower, change.cut_upper, change.dilation,
          change.pad_lower, change.pad_upper, change.is_reversed};
}

workloads::ConvParams paramsOf(const Convolution& convolution) {
  workloads::ConvParams params;
  params.groups = convolution.groups;
  params.batch = convolution.batch;
  params.in_chans = convolution.in_channels;
  params.out_chans = convolution.out_channels;
  params.input = storageOf(convolution.input).type;
  params.output = storageOf(convolution.output).type;
  for (std::size_t d = 0; d < convolution.dim_count; ++d) {
    const ConvolutionDim& dim = convolution.dims[d];
    const ResultChange& out = dim.of_result;
    params.dims.push_back(
        {dim.field,
         dim.kernel,
         transformOf(dim.of_input),
         transformOf(dim.of_kernel),
         {out.cut_lower, out.cut_upper, out.stride, out.pad_lower, out.pad_upper}});
  }
  return params;
}

workloads::ConvPass passOf(ConvolutionPass pass) {
  switch (pass) {
    case ConvolutionPass::InferenceForward:
      return workloads::ConvPass::InferenceFwd;
    case ConvolutionPass::TrainingForward:
      return workloads::ConvPass::TrainingFwd;
    case ConvolutionPass::TrainingBackward:
      return workloads::ConvPass::TrainingBwd;
    case ConvolutionPass::TrainingWeights:
      return workloads::ConvPass::TrainingWu;
    case ConvolutionPass::None:
      break;
  }
  return workloads::ConvPass::None;
}

workloads::ConvProblem problemOf(const Convolution& convolution) {
  workloads::ConvProblem problem;
  problem.params = paramsOf(convolution);
  problem.pass = passOf(convolution.pass);
  problem.partials = storageOf(convolution.partials).type;
  problem.available_memory_proportion = convolution.memory_proportion;
  problem.weight_load = convolution.loads_128_bits ? ipusim::models::WeightLoad::Bits128
                                                   : ipusim::models::WeightLoad::Bits64;
  return problem;
}

/// The convolution without operands. Throws poplar_error for what the planner refuses.
workloads::ConvOp planned(LibrarySteps& steps, const workloads::ConvProblem& problem,
                          const std::string& name) {
  try {
    return workloads::ConvOp(steps.graph(), steps.machine(),
                             workloads::planConv(steps.machine(), problem), name);
  } catch (const ipusim::ConfigError& error) {
    throw poplar_error(fmt::format("convolution {}: {}", name, error.what()).c_str());
  }
}

Tensor shuffled(const Tensor& tensor, std::vector<std::size_t> first) {
  std::vector<std::size_t> order(tensor.shape().size());
  std::iota(order.begin(), order.end(), 0);
  std::copy(first.begin(), first.end(), order.begin());
  return tensor.dimShuffle(order);
}

/// (batch, channels of all groups, field...) as (groups, channels, batch, field...).
Tensor inGroups(const Tensor& tensor, std::uint64_t groups) {
  ipusim::Shape shape = tensor.shape();
  shape[1] /= groups;
  shape.insert(shape.begin() + 1, groups);
  return shuffled(tensor.reshape(shape), {1, 2, 0});
}

/// (groups, channels, batch, field...) as (batch, channels of all groups, field...).
Tensor withoutGroups(const Tensor& tensor) {
  const Tensor turned = shuffled(tensor, {2, 0, 1});
  ipusim::Shape shape = turned.shape();
  shape[1] *= shape[2];
  shape.erase(shape.begin() + 2);
  return turned.reshape(shape);
}

/// The shape of an operand as programs know it.
ipusim::Shape shapeOf(const Convolution& convolution, ConvolutionOperand operand) {
  const bool is_input = operand == ConvolutionOperand::Input;
  ipusim::Shape shape =
      is_input
          ? ipusim::Shape{convolution.batch, convolution.groups * convolution.in_channels}
          : ipusim::Shape{convolution.groups, convolution.out_channels, convolution.in_channels};
  for (std::size_t d = 0; d < convolution.dim_count; ++d) {
    const ConvolutionDim& dim = convolution.dims[d];
    shape.push_back(is_input ? dim.field : dim.kernel);
  }
  return shape;
}

/// An operand where the plan wants it, as programs know it. None where it wants no form of it.
std::optional<Tensor> placed(workloads::ConvOp& op, ConvolutionOperand operand) {
  if (operand == ConvolutionOperand::Weights) {
    if (!op.placeWeights(ipusim::Lifetime::Always)) return std::nullopt;
    return op.placedWeights();
  }
  if (!op.placeInput(ipusim::Lifetime::Always)) return std::nullopt;
  return withoutGroups(op.placedInput());
}

}  // namespace

TensorData* convolutionOperand(GraphData* graph, const Convolution& convolution,
                               ConvolutionOperand operand, Text name) {
  const bool is_input = operand == ConvolutionOperand::Input;
  checkIsWholeIpu(*graph, is_input ? "createInput" : "createWeights");
  LibrarySteps steps(*graph);
  workloads::ConvOp op = planned(steps, problemOf(convolution), stringOf(name));
  std::optional<Tensor> tensor = placed(op, operand);
  if (!tensor) {
    tensor =
        steps.graph().addVariable(storageOf(convolution.input).type, shapeOf(convolution, operand),
                                  stringOf(name), ipusim::Lifetime::Always);
    steps.graph().mapLinearly(*tensor, steps.machine());
  }
  static_cast<void>(Ref<ProgramData>::taking(steps.finish()));
  return steps.tensor(*tensor, convolution.input);
}

TensorData* addConvolution(GraphData* graph, const Convolution& convolution,
                           const ConvolutionOperands& operands, Text name, ProgramData** program) {
  checkIsWholeIpu(*graph, "convolution");
  LibrarySteps steps(*graph);
  workloads::ConvOp op = planned(steps, problemOf(convolution), stringOf(name));
  const Tensor from_input = LibrarySteps::viewOf(*operands.input);
  const Tensor from_weights = LibrarySteps::viewOf(*operands.weights);
  if (const auto wanted = placed(op, ConvolutionOperand::Input)) {
    op.takeInput(variableThatLiesAs(steps.graph(), from_input, *wanted));
  }
  if (const auto wanted = placed(op, ConvolutionOperand::Weights)) {
    op.takeWeights(variableThatLiesAs(steps.graph(), from_weights, *wanted));
  }
  const Tensor result = op.convolve({inGroups(from_input, convolution.groups), from_weights},
                                    ipusim::Lifetime::Always, steps.program());
  *program = steps.finish();
  return steps.tensor(withoutGroups(result), convolution.output);
}

TensorData* addWeightGradient(GraphData* graph, const Convolution& convolution,
                              const ConvolutionOperands& operands, Text name,
                              ProgramData** program) {
  checkIsWholeIpu(*graph, "calculateWeightDeltas");
  LibrarySteps steps(*graph);
  workloads::ConvProblem problem = problemOf(convolution);
  problem.params = workloads::weightUpdateConv(workloads::canonicalConv(problem.params));
  problem.params.output = problem.params.input;
  problem.pass = workloads::ConvPass::TrainingWu;
  workloads::ConvOp op = planned(steps, problem, stringOf(name));
  // The batch is what is summed over, as in channels are, and in channels are the batch.
  const Tensor input =
      shuffled(inGroups(LibrarySteps::viewOf(*operands.input), convolution.groups), {0, 2, 1});
  const Tensor gradients = inGroups(LibrarySteps::viewOf(*operands.weights), convolution.groups);
  const Tensor result = op.convolve({input, gradients}, ipusim::Lifetime::Always, steps.program());
  *program = steps.finish();
  return steps.tensor(result, convolution.input);
}

}  // namespace poplar::detail
