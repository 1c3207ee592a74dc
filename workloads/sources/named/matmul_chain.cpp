// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/matmul_chain.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "workloads/ops/matmul/gpu_matmul.h"
#include "workloads/ops/matmul/lower.h"
#include "workloads/sources/named/parts/matmul_options.h"

namespace ipusim::workloads {

namespace {

constexpr std::uint64_t kMatmulChainFewestDims = 3;
/// A product takes some 10 kB of this computer's memory, however small it is.
constexpr std::uint64_t kMatmulChainMostDims = 1U << 16U;

/// A product that several products of the chain may share.
struct SharedProduct {
  FunctionId function;
  Tensor left;    ///< (1, m, k), which a call reads
  Tensor right;   ///< (1, k, n), which a call reads
  Tensor result;  ///< (1, m, n), where the plan leaves it
};

using Sizes = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

Sizes sizesOf(const MatmulProblem& problem) {
  return {problem.m, problem.k, problem.n};
}

class ChainBuilder {
 public:
  ChainBuilder(const ConfigReader& config, const Architecture& machine,
               std::vector<MatmulProblem> problems)
      : config_(config), machine_(machine), problems_(std::move(problems)) {
    for (const MatmulProblem& problem : problems_) ++uses_[sizesOf(problem)];
  }

  BuiltWorkload build() {
    const MatmulProblem& first = problems_.front();
    Flops flops;
    for (const MatmulProblem& problem : problems_) {
      flops += matmulFlops(config_, problem);
      expectPlannable(config_, problem);
    }
    built_.flops = flops;
    Tensor left = addOperand({1, first.m, first.k}, "operand0");
    operands_.push_back({"operand0", left});
    for (std::size_t i = 0; i < problems_.size(); ++i) {
      const MatmulProblem& problem = problems_[i];
      const std::string name = "operand" + std::to_string(i + 1);
      const Tensor right = addOperand({1, problem.k, problem.n}, name);
      operands_.push_back({name, right});
      left = multiply(problem, left, right, i);
    }
    built_.peak_flops_per_cycle = peakFlopsPerCycle(machine_, first);
    built_.peak_units = kMatrixEngines;
    built_.gpu = gpuMatmuls(problems_);
    built_.host = [operands = operands_, left] {
      return HostTensors{operands, {{"result", left}}};
    };
    built_.reference = referenceOf(problems_);
    return std::move(built_);
  }

 private:
  Tensor addOperand(const Shape& shape, const std::string& name) {
    Tensor operand =
        built_.graph.addVariable(problems_.front().input, shape, name, Lifetime::Always);
    built_.graph.mapLinearly(operand, machine_, kLinearGrain);
    return operand;
  }

  Tensor multiply(const MatmulProblem& problem, const Tensor& left, const Tensor& right,
                  std::size_t index) {
    const std::string name = "matmul" + std::to_string(index);
    const bool last = index + 1 == problems_.size();
    const Lifetime lifetime = last ? Lifetime::Always : Lifetime::Temporary;
    if (uses_.at(sizesOf(problem)) == 1) {
      return addProduct(problem, {left, right}, {name, lifetime}, built_.program);
    }
    return callShared(problem, {left, right}, {name, lifetime});
  }

  struct ChainOperands {
    Tensor left;
    Tensor right;
  };
  struct Naming {
    std::string name;
    Lifetime lifetime;
  };

  Tensor addProduct(const MatmulProblem& problem, const ChainOperands& operands,
                    const Naming& naming, Program& program) {
    const MatmulPlan plan = planMatmul(machine_, problem);
    MatmulOp op(built_.graph, machine_, plan, naming.name,
                {Lifetime::Temporary, Lifetime::Temporary});
    op.arrange(&operands.left, &operands.right, program);
    return op.multiply(naming.lifetime, program);
  }

  /// Copies the operands to those of the shared product, calls it, and copies its result away.
  Tensor callShared(const MatmulProblem& problem, const ChainOperands& operands,
                    const Naming& naming) {
    Graph& graph = built_.graph;
    const SharedProduct& shared = sharedProduct(problem);
    built_.program.add(graph.copy({{operands.left, shared.left}, {operands.right, shared.right}},
                                  naming.name + "/Copy"));
    built_.program.add(call(shared.function));
    Tensor result = graph.addVariable(problem.output, shared.result.shape(),
                                      naming.name + "/result", naming.lifetime);
    graph.mapLinearly(result, machine_, kLinearGrain);
    built_.program.add(graph.copy(shared.result, result, naming.name + "/CopyOut"));
    return result;
  }

  const SharedProduct& sharedProduct(const MatmulProblem& problem) {
    const auto known = shared_.find(sizesOf(problem));
    if (known != shared_.end()) return known->second;
    const std::string name = "shared" + std::to_string(shared_.size());
    SharedProduct product{};
    const auto add = [&](const Shape& shape, const char* side) {
      Tensor operand = built_.graph.addVariable(problem.input, shape, name + side);
      built_.graph.mapLinearly(operand, machine_, kLinearGrain);
      return operand;
    };
    product.left = add({1, problem.m, problem.k}, "/left");
    product.right = add({1, problem.k, problem.n}, "/right");
    Program body;
    product.result =
        addProduct(problem, {product.left, product.right}, {name, Lifetime::Temporary}, body);
    product.function = built_.graph.addFunction(std::move(body));
    return shared_[sizesOf(problem)] = std::move(product);
  }

  static Reference referenceOf(const std::vector<MatmulProblem>& problems) {
    return {[problems](const std::vector<std::vector<double>>& values) {
              std::vector<double> product = values.front();
              for (std::size_t i = 0; i < problems.size(); ++i) {
                product = multiplyReference(problems[i], product, values[i + 1]);
              }
              return std::vector<std::vector<double>>{product};
            },
            matmulTolerance(problems.front())};
  }

  const ConfigReader& config_;
  const Architecture& machine_;
  std::vector<MatmulProblem> problems_;
  std::map<Sizes, std::uint64_t> uses_;
  std::map<Sizes, SharedProduct> shared_;
  std::vector<HostTensor> operands_;
  BuiltWorkload built_;
};

}  // namespace

BuiltWorkload buildMatmulChain(const ConfigReader& config, const Architecture& machine) {
  MatmulProblem options = readMatmulOptions(config);
  if (options.output != options.input) {
    throw config.error("output_type", "the type of the operands: a product is the next one's");
  }
  const std::vector<std::uint64_t> dims = config.wholes("dims", 1, kMaxConvDimension);
  if (dims.size() < kMatmulChainFewestDims) throw config.error("dims", "at least three sizes");
  if (dims.size() > kMatmulChainMostDims) {
    throw config.error("dims", "at most " + std::to_string(kMatmulChainMostDims) + " sizes");
  }
  std::vector<MatmulProblem> problems;
  for (std::size_t i = 1; i + 1 < dims.size(); ++i) {
    options.m = dims.front();
    options.k = dims[i];
    options.n = dims[i + 1];
    problems.push_back(options);
  }
  return ChainBuilder(config, machine, std::move(problems)).build();
}

}  // namespace ipusim::workloads
