// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/conv.h"

#include "base/config/errors_at.h"
#include "base/config/size_error.h"
#include "base/error_boundary.h"
#include "ipusim/error.h"
#include "workloads/networks/operations/windows/planned_convolution.h"
#include "workloads/sources/named/parts/conv_options.h"

namespace ipusim::workloads {

namespace {

// Sums are held in float. Half partials are rounded when they are stored.
constexpr double kConvFloatTolerance = 1e-5;
constexpr double kConvHalfTolerance = 1e-2;

constexpr std::uint64_t kMaxSweeps = 1'000'000;
constexpr double kConvMostElements = 17179869184.0;  // 2^34
constexpr double kConvMostFlops = 1e18;

double countOf(const Shape& shape) {
  double count = 1;
  for (const std::uint64_t size : shape) count *= static_cast<double>(size);
  return count;
}

/// Throws for sizes of which nothing could be laid out or counted. The multiply-adds are at most
/// those of a kernel at each input.
void expectPlannable(const ConfigReader& config, const ConvLayer& layer) {
  const double elements = countOf(layer.input) + countOf(layer.kernel);
  if (elements > kConvMostElements) {
    throw errorAtLargest(config, "operands of at most 2^34 elements together");
  }
  const double field = countOf(layer.input) / static_cast<double>(layer.input[1]);
  if (2 * field * countOf(layer.kernel) > kConvMostFlops) {
    throw errorAtLargest(config, "a convolution of at most 1e18 operations");
  }
}

/// The operation of the layer's pass, and the types of its operands.
struct Node {
  OperationPointer operation;
  TensorTypes operands;
  Shape result;
  ConvolutionNode node;
};

Node nodeOf(const ConvLayer& layer, ElementType type) {
  const OperationPointer forward = convolution(layer.shape);
  const TensorType input{layer.input, type};
  const TensorType kernel{layer.kernel, type};
  const TensorType result = forward->infer({input, kernel}).front();
  Node found;
  switch (layer.pass) {
    case ConvLayer::Pass::Inference:
    case ConvLayer::Pass::Forward:
      found.operation = forward;
      found.operands = {input, kernel};
      break;
    case ConvLayer::Pass::Backward:
      found.operation = transposedConvolution(layer.shape, fieldOf(layer.input));
      found.operands = {result, kernel};
      break;
    case ConvLayer::Pass::WeightUpdate:
      found.operation = convolutionWeightGradient(layer.shape, layer.kernel);
      found.operands = {input, result};
      break;
  }
  found.result = found.operation->infer(found.operands).front().shape;
  found.node = *convolutionOf(*found.operation, found.operands);
  return found;
}

ConvPlan planOf(const ConfigReader& config, const Node& node, const ConvLayer& layer,
                const Architecture& machine) {
  ConvProblem problem = readConvOptions(config);
  const ElementType type = problem.params.input;
  const ConvProblem pass = convProblemOf(node.node, type, layer.pass != ConvLayer::Pass::Inference);
  problem.params = pass.params;
  problem.pass = pass.pass;
  return withErrorsAt(config, problem.method ? "method" : "field",
                      [&] { return planConv(machine, problem); });
}

class ConvBuilder {
 public:
  ConvBuilder(const Architecture& machine, const Node& node, const ConvPlan& plan,
              BuiltWorkload& built)
      : machine_(machine), node_(node), built_(built), conv_(built.graph, machine, plan, "conv") {}

  void addOperands(bool linear) {
    left_ = !linear && conv_.placeInput(Lifetime::Always)
                ? networkInput(node_.node, conv_.placedInput())
                : spread(0, "input");
    right_ = !linear && conv_.placeWeights(Lifetime::Always)
                 ? networkWeights(node_.node, conv_.placedWeights())
                 : spread(1, "weights");
  }

  /// Adds the convolution once, without a copy of its result.
  void addOnce() {
    const Tensor result = convolve(Lifetime::Always, built_.program);
    built_.host = [=, left = left_, right = right_] {
      return HostTensors{{{"input", left}, {"weights", right}}, {{"result", result}}};
    };
  }

  /// Adds `sweeps` convolutions, the result of each of which is copied to the input.
  void addSweeps(std::uint64_t sweeps) {
    Program body;
    const Tensor result = convolve(Lifetime::Temporary, body);
    body.add(built_.graph.copy(result, left_, "conv/Feedback"));
    built_.program.add(repeat(sweeps, {std::move(body)}));
    built_.host = [left = left_, right = right_] {
      return HostTensors{{{"input", left}, {"weights", right}}, {{"input", left}}};
    };
  }

 private:
  Tensor spread(std::size_t operand, const char* name) {
    const TensorType& type = node_.operands[operand];
    Tensor tensor = built_.graph.addVariable(type.type, type.shape, name, Lifetime::Always);
    built_.graph.mapLinearly(tensor, machine_);
    return tensor;
  }

  Tensor convolve(Lifetime lifetime, Program& program) {
    const ConvOperands operands = plannedOperands(node_.node, {left_, right_});
    return networkResult(node_.node, conv_.convolve(operands, lifetime, program), node_.result);
  }

  const Architecture& machine_;
  const Node& node_;
  BuiltWorkload& built_;
  ConvOp conv_;
  Tensor left_;
  Tensor right_;
};

Reference referenceOf(const Node& node) {
  const ElementType type = node.operands.front().type;
  Reference reference{{}, type == ElementType::Float ? kConvFloatTolerance : kConvHalfTolerance};
  reference.compute = [node](const std::vector<TensorValues>& inputs) {
    return node.operation->compute({{node.operands[0], inputs[0]}, {node.operands[1], inputs[1]}});
  };
  return reference;
}

}  // namespace

BuiltWorkload buildConv(const ConfigReader& config, const Architecture& machine) {
  const ConvLayer layer = readConvLayer(config);
  expectPlannable(config, layer);
  const ConvProblem options = readConvOptions(config);
  const bool linear = config.choice("operands", {"planned", "linear"}, "planned") == "linear";
  BuiltWorkload built;
  const auto build = [&] {
    const Node node = nodeOf(layer, options.params.input);
    if (countOf(node.result) > kConvMostElements) {
      throw errorAtLargest(config, "a result of at most 2^34 elements");
    }
    const ConvPlan plan = planOf(config, node, layer, machine);
    built.plan = summaryOf(plan);
    built.flops = node.operation->flops(node.operands);
    built.samples = layer.input.front();
    built.reference = referenceOf(node);
    ConvBuilder builder(machine, node, plan, built);
    builder.addOperands(linear);
    if (config.has("sweeps")) {
      const std::uint64_t sweeps = config.whole("sweeps", 1, kMaxSweeps);
      if (node.result != node.operands.front().shape) {
        throw config.error("sweeps", "no sweeps: the result has another shape than the input");
      }
      builder.addSweeps(sweeps);
      built.flops = *built.flops * sweeps;
      built.plan->estimated_cycles = built.plan->estimated_cycles * sweeps;
      built.reference->rounds = sweeps;
    } else {
      builder.addOnce();
    }
  };
  translateErrors<OperandError>(build, [&](const OperandError& mistake) {
    return ConfigError(config.place("field") + ": " + mistake.what());
  });
  built.peak_flops_per_cycle = machine.peakFlopsPerCycle(options.params.input, options.partials);
  built.peak_units = kMatrixEngines;
  return built;
}

}  // namespace ipusim::workloads
