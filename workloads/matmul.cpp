// SPDX-License-Identifier: Apache-2.0
#include "workloads/matmul.h"

#include <Eigen/Core>

#include "workloads/ops/matmul/lower.h"

namespace ipusim::workloads {

using models::Machine;

namespace {

/// The largest dimension taken: beyond it byte counts would leave 64 bits on the way.
constexpr std::uint64_t kMaxDimension = 1U << 24U;

// The vendor's library spreads a tensor over the tiles in grains of at least 128 bytes.
// Source: graphcore/poplibs poputil::mapTensorLinearly, recorded profiles in graphcore/tensorflow.
constexpr Bytes kLinearGrain(128);

// Largest |error| over largest |reference| of a float product whose sums are held in float.
constexpr double kFloatTolerance = 1e-5;

MatmulProblem readProblem(const ConfigReader& config) {
  MatmulProblem problem;
  problem.m = config.whole("m", 1, kMaxDimension);
  problem.k = config.whole("k", 1, kMaxDimension);
  problem.n = config.whole("n", 1, kMaxDimension);
  (void)config.choice("type", {"float"}, "float");
  problem.methods = MethodSet::only(MatmulMethod::Amp);
  problem.serial = SerialSplits::None;
  return problem;
}

PlanSummary summaryOf(const MatmulPlan& plan) {
  const MatmulPartition& p = plan.partition;
  return {{{"method", "AMP"}, {"weights", plan.order == OperandOrder::Swapped ? "left" : "right"}},
          {{"conv_units", plan.method.conv_units},
           {"in_chans_per_group", plan.method.in_chans_per_group},
           {"partial_chans_per_group", plan.method.partial_chans_per_group},
           {"field_split", p.field},
           {"out_chan_split", p.out_chans},
           {"in_chan_split", p.in_chans},
           {"conv_group_split", p.conv_groups},
           {"tiles", p.tiles()}},
          plan.cycles};
}

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::vector<std::vector<double>> multiply(const MatmulProblem& problem,
                                          const std::vector<std::vector<double>>& inputs) {
  const auto m = static_cast<Eigen::Index>(problem.m);
  const auto k = static_cast<Eigen::Index>(problem.k);
  const auto n = static_cast<Eigen::Index>(problem.n);
  const Eigen::Map<const Matrix> left(inputs[0].data(), m, k);
  const Eigen::Map<const Matrix> right(inputs[1].data(), k, n);
  std::vector<double> result(problem.m * problem.n);
  Eigen::Map<Matrix>(result.data(), m, n).noalias() = left * right;
  return {result};
}

/// Peak of the chip's matrix engines: a multiply and an add for each weight an engine meets a
/// cycle.
double peakFlopsPerCycle(const Machine& machine) {
  const double macs = machine.conv_units.float_float;
  return 2.0 * macs * machine.tiles;
}

struct Operands {
  Tensor left;
  Tensor right;
};

/// Operands spread linearly over the tiles, and the steps that bring them to where the plan wants
/// them.
Operands addLinearOperands(Graph& graph, const Machine& machine, const MatmulProblem& problem,
                           MatmulOp& op) {
  Operands operands{
      graph.addVariable(problem.input, {1, problem.m, problem.k}, "left", Lifetime::Always),
      graph.addVariable(problem.input, {1, problem.k, problem.n}, "right", Lifetime::Always)};
  graph.mapLinearly(operands.left, machine, kLinearGrain);
  graph.mapLinearly(operands.right, machine, kLinearGrain);
  op.rearrange(operands.left, operands.right);
  return operands;
}

Reference referenceOf(const MatmulProblem& problem, const Operands& operands,
                      const Tensor& result) {
  return {{{"left", operands.left}, {"right", operands.right}},
          {{"result", result}},
          [problem](const std::vector<std::vector<double>>& inputs) {
            return multiply(problem, inputs);
          },
          kFloatTolerance};
}

}  // namespace

BuiltWorkload buildMatmul(const ConfigReader& config, const Machine& machine) {
  const MatmulProblem problem = readProblem(config);
  const bool linear = config.choice("operands", {"planned", "linear"}, "planned") == "linear";
  const MatmulPlan plan = planMatmul(machine, problem);

  BuiltWorkload built;
  built.flops = Flops(2 * problem.m * problem.k * problem.n);
  built.peak_flops_per_cycle = peakFlopsPerCycle(machine);
  built.plan = summaryOf(plan);
  MatmulOp op(built.graph, machine, {problem, plan}, "matmul",
              linear ? Lifetime::Temporary : Lifetime::Always);
  if (linear) {
    const Operands operands = addLinearOperands(built.graph, machine, problem, op);
    const Tensor result = op.multiply(Lifetime::Always);
    built.reference = [=] { return referenceOf(problem, operands, result); };
  } else {
    op.clearPadding();
    const Tensor result = op.multiply(Lifetime::Always);
    built.reference = [=, planned = op.operands()] {
      return referenceOf(problem, {planned.left(), planned.right()}, result);
    };
  }
  return built;
}

}  // namespace ipusim::workloads
