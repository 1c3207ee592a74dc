// SPDX-License-Identifier: Apache-2.0
#include "workloads/matmul.h"

#include "workloads/ops/matmul/lower.h"
#include "workloads/shared/matmul_options.h"

namespace ipusim::workloads {

using models::Machine;

namespace {

MatmulProblem readProblem(const ConfigReader& config) {
  MatmulProblem problem = readMatmulOptions(config);
  problem.groups = config.whole("groups", 1, kMaxMatmulDimension, 1);
  problem.m = config.whole("m", 1, kMaxMatmulDimension);
  problem.k = config.whole("k", 1, kMaxMatmulDimension);
  problem.n = config.whole("n", 1, kMaxMatmulDimension);
  return problem;
}

struct Operands {
  Tensor left;
  Tensor right;
};

/// Operands spread linearly over the tiles, and the steps that bring them to where the plan wants
/// them.
Operands addLinearOperands(Graph& graph, const Machine& machine, const MatmulProblem& problem,
                           MatmulOp& op) {
  Operands operands{graph.addVariable(problem.input, {problem.groups, problem.m, problem.k}, "left",
                                      Lifetime::Always),
                    graph.addVariable(problem.input, {problem.groups, problem.k, problem.n},
                                      "right", Lifetime::Always)};
  graph.mapLinearly(operands.left, machine, kLinearGrain);
  graph.mapLinearly(operands.right, machine, kLinearGrain);
  op.rearrange(operands.left, operands.right, graph.program());
  return operands;
}

Reference referenceOf(const MatmulProblem& problem, const Operands& operands,
                      const Tensor& result) {
  return {
      {{"left", operands.left}, {"right", operands.right}},
      {{"result", result}},
      [problem](const std::vector<std::vector<double>>& inputs) {
        return std::vector<std::vector<double>>{multiplyReference(problem, inputs[0], inputs[1])};
      },
      matmulTolerance(problem)};
}

}  // namespace

BuiltWorkload buildMatmul(const ConfigReader& config, const Machine& machine) {
  const MatmulProblem problem = readProblem(config);
  const bool linear = config.choice("operands", {"planned", "linear"}, "planned") == "linear";
  const MatmulPlan plan = planMatmul(machine, problem);

  BuiltWorkload built;
  built.flops = Flops(2 * problem.groups * problem.m * problem.k * problem.n);
  built.peak_flops_per_cycle = peakFlopsPerCycle(machine, problem);
  built.plan = summaryOf(plan);
  MatmulOp op(built.graph, machine, {problem, plan}, "matmul",
              linear ? Lifetime::Temporary : Lifetime::Always);
  if (linear) {
    const Operands operands = addLinearOperands(built.graph, machine, problem, op);
    const Tensor result = op.multiply(Lifetime::Always, built.graph.program());
    built.reference = [=] { return referenceOf(problem, operands, result); };
  } else {
    op.clearPadding(built.graph.program());
    const Tensor result = op.multiply(Lifetime::Always, built.graph.program());
    built.reference = [=, planned = op.operands()] {
      return referenceOf(problem, {planned.left(), planned.right()}, result);
    };
  }
  return built;
}

}  // namespace ipusim::workloads
