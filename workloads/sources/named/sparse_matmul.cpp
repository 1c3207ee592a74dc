// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/sparse_matmul.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/config/errors_at.h"
#include "models/ipu/cost/products/amp.h"
#include "models/ipu/machine/element_words.h"
#include "workloads/ops/sparse/gpu_sparse_matmul.h"
#include "workloads/ops/sparse/lower.h"
#include "workloads/ops/sparse/matrix_market.h"
#include "workloads/sources/named/parts/matmul_options.h"

namespace ipusim::workloads {

namespace {

constexpr std::uint64_t kDefaultSeed = 1;
constexpr std::uint64_t kMaxBlock = 16;
/// More blocks than any machine holds, and as many as a file may have.
constexpr std::uint64_t kMostBlocks = std::uint64_t{1} << 26U;

/// Reads `key`, which must be a multiple of `block`.
std::uint64_t readSize(const ConfigReader& config, const char* key, std::uint64_t block) {
  const std::uint64_t size = config.whole(key, 1, kMaxConvDimension);
  if (size % block != 0) throw config.error(key, fmt::format("a multiple of block = {}", block));
  return size;
}

SparsePattern drawPattern(const ConfigReader& config, std::uint64_t block) {
  const std::uint64_t m = readSize(config, "m", block);
  const std::uint64_t k = readSize(config, "k", block);
  const double density = config.real("density", 0, 1);
  const std::uint64_t seed =
      config.whole("seed", 0, std::numeric_limits<std::int64_t>::max(), kDefaultSeed);
  const std::uint64_t places = (m / block) * (k / block);
  if (places > kMaxPatternPlaces) {
    throw config.error("m", fmt::format("at most {} blocks in the matrix", kMaxPatternPlaces));
  }
  const double blocks = std::round(density * static_cast<double>(places));
  if (blocks > kMostBlocks) {
    throw config.error("density", fmt::format("at most {} blocks that are not zero", kMostBlocks));
  }
  if (blocks < 1) throw config.error("density", "enough for one block that is not zero");
  return randomPattern(m, k, block, static_cast<std::uint64_t>(blocks), seed);
}

SparsePattern readPattern(const ConfigReader& config) {
  const std::uint64_t block = config.whole("block", 1, kMaxBlock, 1);
  if (block != 1 && block != 4 && block != 8 && block != kMaxBlock) {
    throw config.error("block", "one of 1, 4, 8, 16");
  }
  if (!config.has("file")) return drawPattern(config, block);
  for (const char* key : {"density", "seed", "m", "k"}) {
    if (config.has(key)) throw config.error(key, "no such key beside file, which has the pattern");
  }
  const std::filesystem::path file = config.path("file");
  SparsePattern pattern =
      withErrorsAt(config, "file", [&] { return readMatrixMarket(file, block); });
  if (pattern.blocks.empty()) throw config.error("file", "a matrix with at least one entry");
  return pattern;
}

/// Reads the options of a product, without those of its planner.
MatmulProblem readTypes(const ConfigReader& config) {
  MatmulProblem types;
  types.input = readWord(config, "type", kNumberWords, ElementType::Float);
  types.output = readWord(config, "output_type", kNumberWords, types.input);
  types.partials = readWord(config, "partials_type", kNumberWords, types.input);
  if (types.input == ElementType::Float && types.partials == ElementType::Half) {
    throw config.error("partials_type", "\"float\" with float operands");
  }
  return types;
}

/// Permutations between the order of a layout and that of a row-major matrix.
struct Orders {
  std::vector<std::uint64_t> values;
  std::vector<std::uint64_t> dense;
  std::vector<std::uint64_t> result;
  std::uint64_t rows;
  std::uint64_t inner;
  std::uint64_t columns;
};

std::vector<double> multiplyInOrder(const Orders& orders, const std::vector<double>& values,
                                    const std::vector<double>& dense) {
  std::vector<double> right(orders.inner * orders.columns);
  for (std::size_t i = 0; i < dense.size(); ++i) right[orders.dense[i]] = dense[i];
  std::vector<double> product(orders.rows * orders.columns, 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t row = orders.values[i] / orders.inner;
    const std::uint64_t inner = orders.values[i] % orders.inner;
    for (std::uint64_t c = 0; c < orders.columns; ++c) {
      product[row * orders.columns + c] += values[i] * right[inner * orders.columns + c];
    }
  }
  std::vector<double> ordered;
  ordered.reserve(product.size());
  for (const std::uint64_t source : orders.result) ordered.push_back(product[source]);
  return ordered;
}

Reference referenceOf(const SparseProblem& problem, const MatmulProblem& types,
                      const SparseProduct& product) {
  return {[problem, layout = product.layout](const std::vector<std::vector<double>>& inputs) {
            const Orders orders{layout.valueSources(),   layout.denseSources(),
                                layout.resultSources(),  problem.pattern.rows,
                                problem.pattern.columns, problem.columns};
            return std::vector<std::vector<double>>{multiplyInOrder(orders, inputs[0], inputs[1])};
          },
          matmulTolerance(types)};
}

PlanSummary summaryOf(const SparseProblem& problem, const SparsePlan& plan) {
  return {{{"method", problem.pattern.block == 1 ? "element-wise" : "AMP blocks"},
           {"partials_type", nameOf(problem.partials)}},
          {{"non_zeros", problem.pattern.nonZeros()},
           {"row_split", plan.splits.rows},
           {"inner_split", plan.splits.inner},
           {"column_split", plan.splits.columns},
           {"tiles", plan.splits.tiles()}},
          plan.cycles};
}

}  // namespace

BuiltWorkload buildSparseMatmul(const ConfigReader& config, const Architecture& machine) {
  const MatmulProblem types = readTypes(config);
  const SparseProblem problem{readPattern(config), config.whole("n", 1, kMaxConvDimension),
                              types.input, types.partials, types.output};
  const SparseCuts cuts = config.choice("cuts", {"static", "all"}, "static") == "static"
                              ? SparseCuts::InnerAndColumns
                              : SparseCuts::All;
  const SparsePlan plan = planSparse(machine, problem, cuts);

  BuiltWorkload built;
  const SparsePattern& pattern = problem.pattern;
  MatmulProblem dense = types;
  dense.m = pattern.rows;
  dense.k = pattern.columns;
  dense.n = problem.columns;
  built.flops = matmulFlops(config, dense);
  built.nonzero_flops = Flops(2 * pattern.nonZeros() * problem.columns);
  built.peak_flops_per_cycle = peakFlopsPerCycle(machine, types);
  built.peak_units = kMatrixEngines;
  built.plan = summaryOf(problem, plan);
  built.gpu = gpuSparseMatmul(types.input, pattern, problem.columns);
  SparseProduct product =
      addSparseProduct(built.graph, machine, problem, plan.splits, "sparse_matmul");
  built.host = [values = product.values, dense = product.dense, result = product.result] {
    return HostTensors{{{"values", values}, {"dense", dense}}, {{"result", result}}};
  };
  built.reference = referenceOf(problem, types, product);
  built.program = std::move(product.program);
  return built;
}

}  // namespace ipusim::workloads
