// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sim/compile/compile.h"
#include "sim/execute/check.h"
#include "tests/support/toy_machine.h"
#include "workloads/networks/operations/windows/planned_convolution.h"

// Convolutions in serial steps, computed through tile memories. The planner takes steps only where
// memory is short, so the tests cut plans of small convolutions into steps.

namespace ipusim::workloads {
namespace {

using Pass = ConvolutionNode::Direction;

/// A convolution of two field dimensions on the toy machine.
struct Case {
  Shape input;   ///< (batch, channels, field...)
  Shape kernel;  ///< (out channels, channels of a group, kernel...)
  std::uint64_t stride = 1;
  std::uint64_t padding = 0;
  ElementType type = ElementType::Float;
  Pass pass = Pass::Forward;
};

struct Steps {
  std::uint32_t in_chans = 1;
  std::uint32_t out_chans = 1;
  ConvBroadcast broadcast = ConvBroadcast::EachStep;
};

/// A layer, one of its passes, and the plan of that.
struct ConvLayer {
  OperationPointer operation;
  TensorTypes operands;
  ConvolutionNode node;
  ConvPlan plan;
};

ConvLayer layerOf(const Case& sizes) {
  ConvolutionShape shape{WindowMotion::plain(2), sizes.input[1] / sizes.kernel[1]};
  shape.motion.stride = {sizes.stride, sizes.stride};
  shape.motion.padding_lower = shape.motion.padding_upper = {sizes.padding, sizes.padding};
  const TensorType input{sizes.input, sizes.type};
  const TensorType kernel{sizes.kernel, sizes.type};
  ConvLayer layer;
  layer.operation = convolution(shape);
  layer.operands = {input, kernel};
  const TensorType result = layer.operation->infer(layer.operands).front();
  if (sizes.pass == Pass::InputGradient) {
    layer.operation = transposedConvolution(shape, fieldOf(sizes.input));
    layer.operands = {result, kernel};
  } else if (sizes.pass == Pass::WeightGradient) {
    layer.operation = convolutionWeightGradient(shape, sizes.kernel);
    layer.operands = {input, result};
  }
  layer.node = *convolutionOf(*layer.operation, layer.operands);
  layer.plan = planConv(models::toyMachine(), convProblemOf(layer.node, sizes.type, true));
  return layer;
}

/// Channels in steps are not spread over tiles as well: a step may have a grain alone.
void cut(ConvPlan& plan, const Steps& steps) {
  if (steps.in_chans > 1) plan.partition.in_chans = 1;
  if (steps.out_chans > 1) plan.partition.out_chans = 1;
  plan.partition.in_chans_serial = steps.in_chans;
  plan.partition.out_chans_serial = steps.out_chans;
  plan.broadcast = steps.broadcast;
}

/// Where the operands are before the convolution.
enum class Operands { Planned, Linear };

class Built {
 public:
  Built(const ConvLayer& layer, Operands operands)
      : layer_(layer), conv_(graph_, models::toyMachine(), layer.plan, "conv") {
    has_placed_ = operands == Operands::Planned && conv_.placeWeights(Lifetime::Always);
    left_ = spread(0);
    right_ = has_placed_ ? networkWeights(layer.node, conv_.placedWeights()) : spread(1);
    const Tensor result = conv_.convolve(plannedOperands(layer.node, {left_, right_}),
                                         Lifetime::Always, graph_.program());
    result_ =
        networkResult(layer.node, result, layer.operation->infer(layer.operands).front().shape);
  }

  [[nodiscard]] bool hasPlacedWeights() const { return has_placed_; }

  [[nodiscard]] executor::CheckResult check() const {
    const double tolerance = layer_.operands.front().type == ElementType::Half ? 1e-2 : 1e-5;
    const Reference reference{[this](const std::vector<TensorValues>& in) {
                                return layer_.operation->compute(
                                    {{layer_.operands[0], in[0]}, {layer_.operands[1], in[1]}});
                              },
                              tolerance};
    const compiler::Executable executable = compiler::compile(graph_, models::toyMachine());
    return executor::checkNumbers(graph_, executable,
                                  {{{"left", left_}, {"right", right_}}, {{"result", result_}}},
                                  reference, {executor::Checking::Strict});
  }

 private:
  Tensor spread(std::size_t operand) {
    const TensorType& type = layer_.operands[operand];
    Tensor tensor = graph_.addVariable(type.type, type.shape, "operand", Lifetime::Always);
    graph_.mapLinearly(tensor, models::toyMachine());
    return tensor;
  }

  const ConvLayer& layer_;
  Graph graph_;
  ConvOp conv_;
  Tensor left_;
  Tensor right_;
  Tensor result_;
  bool has_placed_ = false;
};

void expectRight(ConvLayer layer, const Steps& steps) {
  cut(layer.plan, steps);
  for (const Operands operands : {Operands::Planned, Operands::Linear}) {
    SCOPED_TRACE(testing::Message() << steps.in_chans << " x " << steps.out_chans << " steps");
    const executor::CheckResult found = Built(layer, operands).check();
    EXPECT_TRUE(found.ok) << "off by " << found.relative << " at " << found.index;
  }
}

void expectRightInAllSteps(const Case& sizes) {
  const ConvLayer layer = layerOf(sizes);
  expectRight(layer, {});
  expectRight(layer, {1, 2});
  expectRight(layer, {1, 2, ConvBroadcast::BeforeLoop});
  expectRight(layer, {2, 1});
}

}  // namespace

TEST(ConvSteps, HaveTheNumbersOfALoop) {
  expectRightInAllSteps({{2, 16, 6, 5}, {24, 16, 3, 3}, 1, 1});
}

TEST(ConvSteps, HaveTheNumbersOfALoopWithHalves) {
  expectRightInAllSteps({{2, 32, 6, 5}, {48, 32, 3, 3}, 2, 1, ElementType::Half});
}

TEST(ConvSteps, HaveTheNumbersOfALoopWithoutAKernel) {
  expectRightInAllSteps({{3, 24, 4, 4}, {32, 24, 1, 1}});
}

TEST(ConvSteps, HaveTheNumbersOfALoopInTheBackwardPass) {
  expectRightInAllSteps(
      {{1, 16, 7, 7}, {24, 16, 3, 3}, 2, 1, ElementType::Float, Pass::InputGradient});
  expectRightInAllSteps(
      {{1, 24, 7, 7}, {16, 24, 1, 1}, 2, 0, ElementType::Float, Pass::InputGradient});
}

TEST(ConvSteps, HaveTheNumbersOfALoopInTheWeightUpdate) {
  expectRightInAllSteps(
      {{4, 16, 6, 6}, {24, 16, 3, 3}, 1, 1, ElementType::Float, Pass::WeightGradient});
}

TEST(ConvSteps, HaveTheNumbersOfALoopWithGroups) {
  expectRightInAllSteps({{1, 32, 5, 5}, {32, 8, 3, 3}, 1, 1});
}

TEST(ConvSteps, MayBeUneven) {
  // Five grains of eight channels in three steps.
  const ConvLayer layer = layerOf({{1, 40, 5, 5}, {36, 40, 3, 3}, 1, 1});
  expectRight(layer, {1, 3});
  expectRight(layer, {3, 1});
}

TEST(ConvSteps, AreOfWholeGrains) {
  ConvLayer layer = layerOf({{4, 40, 12, 12}, {40, 40, 3, 3}, 1, 1});
  ASSERT_FALSE(layer.plan.transforms.swap);
  const std::uint64_t grain = layer.plan.vertex.partial_chans_per_group;
  const std::uint64_t all = layer.plan.params.out_chans;
  cut(layer.plan, {1, 2});
  const ConvPlan step = stepOf(layer.plan);
  EXPECT_EQ(step.params.out_chans % grain, 0U);
  EXPECT_GE(step.params.out_chans * 2, all);
  EXPECT_LT(step.params.out_chans * 2, all + 2 * grain);
  EXPECT_EQ(step.partition.steps(), 1U);
}

}  // namespace ipusim::workloads
