// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ipusim/error.h"
#include "poplar/detail/library_api.hpp"
#include "poplar/exceptions.hpp"
#include "poplar/runtime/graph/element_bytes.h"
#include "poplar/runtime/graph/operand_place.h"
#include "poplar/runtime/library/library_steps.h"
#include "workloads/ops/matmul/lower.h"

namespace poplar::detail {

namespace {

namespace workloads = ipusim::workloads;

workloads::MatmulProblem problemOf(const MatrixProduct& product) {
  workloads::MatmulProblem problem;
  problem.groups = product.groups;
  problem.m = product.m;
  problem.k = product.k;
  problem.n = product.n;
  problem.input = storageOf(product.input).type;
  problem.output = storageOf(product.output).type;
  problem.partials = storageOf(product.partials).type;
  problem.available_memory_proportion = product.memory_proportion;
  return problem;
}

/// The product with operands of its own. Throws poplar_error for what the planner refuses.
workloads::MatmulOp planned(LibrarySteps& steps, const MatrixProduct& product,
                            const std::string& name) {
  const workloads::MatmulProblem problem = problemOf(product);
  try {
    return workloads::MatmulOp(steps.graph(), steps.machine(),
                               workloads::planMatmul(steps.machine(), problem), name,
                               {ipusim::Lifetime::Always, ipusim::Lifetime::Always});
  } catch (const ipusim::ConfigError& error) {
    throw poplar_error(fmt::format("matMul {}: {}", name, error.what()).c_str());
  }
}

}  // namespace

TensorData* matrixOperand(GraphData* graph, const MatrixProduct& product, OperandSide side,
                          Text name) {
  checkIsWholeIpu(*graph, "createMatMulInput");
  LibrarySteps steps(*graph);
  const workloads::MatmulOp op = planned(steps, product, stringOf(name));
  static_cast<void>(Ref<ProgramData>::taking(steps.finish()));
  return steps.tensor(side == OperandSide::Left ? op.left() : op.right(), product.input);
}

TensorData* addMatrixProduct(GraphData* graph, const MatrixProduct& product, const Factors& factors,
                             Text name, ProgramData** program) {
  checkIsWholeIpu(*graph, "matMul");
  LibrarySteps steps(*graph);
  workloads::MatmulOp op = planned(steps, product, stringOf(name));
  const ipusim::Tensor from_left = LibrarySteps::viewOf(*factors.left);
  const ipusim::Tensor from_right = LibrarySteps::viewOf(*factors.right);
  const auto left_in_place = variableThatLiesAs(steps.graph(), from_left, op.left());
  const auto right_in_place = variableThatLiesAs(steps.graph(), from_right, op.right());
  if (left_in_place) op.takeLeft(*left_in_place);
  if (right_in_place) op.takeRight(*right_in_place);
  op.arrange(left_in_place ? nullptr : &from_left, right_in_place ? nullptr : &from_right,
             steps.program());
  const ipusim::Tensor result = op.multiply(ipusim::Lifetime::Always, steps.program());
  *program = steps.finish();
  return steps.tensor(result, product.output);
}

}  // namespace poplar::detail
