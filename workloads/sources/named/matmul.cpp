// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/matmul.h"

#include "models/ipu/machine/element_words.h"
#include "workloads/ops/matmul/gpu_matmul.h"
#include "workloads/ops/matmul/lower.h"
#include "workloads/ops/user_matmul/product.h"
#include "workloads/sources/named/parts/matmul_options.h"

namespace ipusim::workloads {

namespace {

/// Edge of the blocks of the blocked variant.
constexpr std::uint64_t kDefaultBlock = 16;

/// Each group has its own vertices, which take memory of this computer.
constexpr std::uint64_t kMaxGroups = 1U << 20U;

/// A float problem for vertices that a user wrote. The options of the planner are no keys then.
MatmulProblem compiledProblem(const ConfigReader& config) {
  if (readWord(config, "type", kNumberWords, ElementType::Float) == ElementType::Half) {
    throw config.error("type", "\"float\": the variant's vertices know no other");
  }
  return {};
}

MatmulProblem readProblem(const ConfigReader& config, const std::string& variant) {
  MatmulProblem problem = variant == "poplin" ? readMatmulOptions(config) : compiledProblem(config);
  problem.groups = config.whole("groups", 1, kMaxGroups, 1);
  problem.m = config.whole("m", 1, kMaxConvDimension);
  problem.k = config.whole("k", 1, kMaxConvDimension);
  problem.n = config.whole("n", 1, kMaxConvDimension);
  return problem;
}

struct ProductOperands {
  Tensor left;
  Tensor right;
};

/// Adds operands that are spread linearly over the tiles.
ProductOperands addOperands(Graph& graph, const Architecture& machine,
                            const MatmulProblem& problem) {
  ProductOperands operands{graph.addVariable(problem.input, {problem.groups, problem.m, problem.k},
                                             "left", Lifetime::Always),
                           graph.addVariable(problem.input, {problem.groups, problem.k, problem.n},
                                             "right", Lifetime::Always)};
  if (problem.groups == 1) {
    graph.setShape(operands.left, {problem.m, problem.k});
    graph.setShape(operands.right, {problem.k, problem.n});
  }
  graph.mapLinearly(operands.left, machine, kLinearGrain);
  graph.mapLinearly(operands.right, machine, kLinearGrain);
  return operands;
}

HostTensors hostTensors(const ProductOperands& operands, const Tensor& result) {
  return {{{"left", operands.left}, {"right", operands.right}}, {{"result", result}}};
}

/// Adds the product by vertices that a user wrote, on operands that are spread linearly over the
/// tiles.
void buildCompiled(const ConfigReader& config, const Architecture& machine,
                   const MatmulProblem& problem, BuiltWorkload& built) {
  if (problem.groups != 1) throw config.error("groups", "1: the variant knows one product");
  (void)config.choice("operands", {"linear"}, "linear");
  Graph& graph = built.graph;
  const ProductOperands operands = addOperands(graph, machine, problem);
  const UserOperands flat{operands.left.reshape({problem.m, problem.k}),
                          operands.right.reshape({problem.k, problem.n})};
  Tensor result;
  if (config.text("variant") == "naive") {
    result = addNaiveProduct(graph, machine, flat, "matmul", built.program);
  } else {
    const std::uint64_t block = config.whole("block", 1, kMaxConvDimension, kDefaultBlock);
    for (const char* key : {"m", "k", "n"}) {
      if (config.whole(key, 1, kMaxConvDimension) % block == 0) continue;
      throw config.error(key, "a multiple of the block, " + std::to_string(block));
    }
    result = addBlockedProduct(graph, machine, flat, block, built.program);
  }
  built.host = [=] { return hostTensors(operands, result); };
}

/// Adds the product as the vendor's library plans it.
void buildPlanned(const ConfigReader& config, const Architecture& machine,
                  const MatmulProblem& problem, BuiltWorkload& built) {
  const bool linear = config.choice("operands", {"planned", "linear"}, "planned") == "linear";
  const MatmulPlan plan = planMatmul(machine, problem);
  built.plan = summaryOf(plan);
  const Lifetime lifetime = linear ? Lifetime::Temporary : Lifetime::Always;
  const auto op = std::make_shared<MatmulOp>(built.graph, machine, plan, "matmul",
                                             OperandLifetimes{lifetime, lifetime});
  if (linear) {
    const ProductOperands operands = addOperands(built.graph, machine, problem);
    op->arrange(&operands.left, &operands.right, built.program);
    const Tensor result = op->multiply(Lifetime::Always, built.program);
    built.host = [=] { return hostTensors(operands, result); };
    return;
  }
  op->arrange(nullptr, nullptr, built.program);
  const Tensor result = op->multiply(Lifetime::Always, built.program);
  built.host = [result, op] { return hostTensors({op->left(), op->right()}, result); };
}

}  // namespace

BuiltWorkload buildMatmul(const ConfigReader& config, const Architecture& machine) {
  const std::string variant = config.choice("variant", {"poplin", "naive", "blocked"}, "poplin");
  const MatmulProblem problem = readProblem(config, variant);
  BuiltWorkload built;
  built.flops = matmulFlops(config, problem);
  expectPlannable(config, problem);
  built.peak_flops_per_cycle = peakFlopsPerCycle(machine, problem);
  built.peak_units = kMatrixEngines;
  built.reference = {
      [problem](const std::vector<TensorValues>& inputs) {
        return std::vector<TensorValues>{multiplyReference(problem, inputs[0], inputs[1])};
      },
      matmulTolerance(problem)};
  if (variant == "poplin") {
    built.gpu = gpuMatmuls({problem});
    buildPlanned(config, machine, problem, built);
  } else {
    built.gpu = gpuThreadMatmul(
        problem, variant == "naive" ? gpu::Staging::None : gpu::Staging::SharedMemory);
    buildCompiled(config, machine, problem, built);
  }
  return built;
}

}  // namespace ipusim::workloads
