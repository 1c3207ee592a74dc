// SPDX-License-Identifier: Apache-2.0
#include "workloads/linear.h"

#include "workloads/ops/bias.h"
#include "workloads/ops/matmul/lower.h"
#include "workloads/shared/gpu_matmul.h"
#include "workloads/shared/layer.h"
#include "workloads/shared/matmul_options.h"

namespace ipusim::workloads {

using models::Machine;

namespace {

MatmulProblem readProblem(const ConfigReader& config) {
  MatmulProblem problem = readMatmulOptions(config);
  problem.m = config.whole("batch", 1, kMaxMatmulDimension);
  problem.k = config.whole("in", 1, kMaxMatmulDimension);
  problem.n = config.whole("out", 1, kMaxMatmulDimension);
  problem.pass = MatmulPass::InferenceFwd;
  return problem;
}

/// Inputs: x, the weights as (in, out), and the bias where there is one.
Reference referenceOf(const MatmulProblem& problem, std::vector<HostTensor> inputs,
                      const Tensor& result) {
  return {std::move(inputs),
          {{"y", result}},
          [problem](const std::vector<std::vector<double>>& values) {
            std::vector<double> y = multiplyReference(problem, values[0], values[1]);
            if (values.size() > 2) addBiasReference(values[2], y);
            return std::vector<std::vector<double>>{y};
          },
          matmulTolerance(problem)};
}

}  // namespace

BuiltWorkload buildLinear(const ConfigReader& config, const Machine& machine) {
  const MatmulProblem problem = readProblem(config);
  const bool has_bias = readBias(config);
  const MatmulPlan plan = planMatmul(machine, problem);
  BuiltWorkload built;
  Graph& graph = built.graph;
  Program& program = graph.program();

  const Tensor x =
      graph.addVariable(problem.input, {1, problem.m, problem.k}, "x", Lifetime::Always);
  graph.mapLinearly(x, machine, kLinearGrain);
  MatmulOp op(graph, machine, {problem, plan}, "linear", {Lifetime::Temporary, Lifetime::Always});
  ModelSummary model{{{"weights", {problem.n, problem.k}}}, problem.n * problem.k};
  op.rearrangeLeft(x, program);
  const Tensor y = op.multiply(Lifetime::Always, program);
  std::optional<Tensor> bias;
  if (has_bias) {
    bias = addBiasParameters(graph, machine, problem.output, problem.n);
    model.parameters.emplace_back("bias", bias->shape());
    model.dense_parameters += problem.n;
    addBias(graph, y.reshape({problem.m, problem.n}), *bias, "linear/Add", program);
  }

  built.plan = summaryOf(plan);
  built.flops = Flops(problem.m * problem.n * (2 * problem.k + (has_bias ? 1 : 0)));
  built.peak_flops_per_cycle = peakFlopsPerCycle(machine, problem);
  built.model = std::move(model);
  built.gpu = gpuMatmuls({problem});
  built.reference = [=, planned = op.operands()] {
    std::vector<HostTensor> inputs{{"x", x}, {"weights", planned.right()}};
    if (bias) inputs.push_back({"bias", *bias});
    return referenceOf(problem, std::move(inputs), y);
  };
  return built;
}

}  // namespace ipusim::workloads
