// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/product.h"

#include "ipusim/error.h"

namespace ipusim::workloads {

LayerSite within(LayerSite site, const std::string& part) {
  site.name += "/" + part;
  return site;
}

MatmulProblem problemOf(const MatmulProblem& options, const ProductOperands& operands) {
  const Shape& left = operands.left.shape();
  const Shape& right = operands.right.shape();
  check(left.size() == 3 && right.size() == 3 && left[0] == right[0] && left[2] == right[1],
        "operands of a product");
  MatmulProblem problem = options;
  problem.groups = left[0];
  problem.m = left[1];
  problem.k = left[2];
  problem.n = right[2];
  return problem;
}

Tensor addProduct(const LayerSite& site, const MatmulProblem& options,
                  const ProductOperands& operands, Lifetime result, Program& program) {
  const MatmulProblem problem = problemOf(options, operands);
  MatmulOp product(site.graph, site.machine, planMatmul(site.machine, problem), site.name,
                   {Lifetime::Temporary, Lifetime::Temporary});
  product.arrange(&operands.left, &operands.right, program);
  return product.multiply(result, program);
}

}  // namespace ipusim::workloads
