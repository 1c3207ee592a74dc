// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/lowering/planned_products.h"

#include "workloads/networks/operations/windows/planned_convolution.h"

namespace ipusim::workloads {

namespace {

ConvPass passOf(ProductRole role, const PlanningSite& site) {
  if (!site.is_training) return ConvPass::FcInferenceFwd;
  switch (role) {
    case ProductRole::InputGradient:
      return ConvPass::FcTrainingBwd;
    case ProductRole::WeightGradient:
      return ConvPass::FcTrainingWu;
    case ProductRole::Forward:
      break;
  }
  return ConvPass::FcTrainingFwd;
}

template <typename Problem>
void choose(const ProductSettings& products, Problem& problem) {
  problem.partials = products.partials.value_or(problem.partials);
  problem.available_memory_proportion =
      products.memory_proportion.value_or(problem.available_memory_proportion);
  problem.method = products.method;
  problem.serial = products.serial;
}

}  // namespace

MatmulProblem plannedProblem(const GroupedProduct& product, const PlanningSite& site) {
  MatmulProblem problem;
  problem.groups = product.groups;
  problem.m = product.m;
  problem.k = product.k;
  problem.n = product.n;
  problem.input = problem.output = site.type;
  problem.pass = passOf(product.role, site);
  choose(site.products, problem);
  return problem;
}

ConvProblem plannedProblem(const ConvolutionNode& node, const PlanningSite& site) {
  ConvProblem problem = convProblemOf(node, site.type, site.is_training);
  choose(site.products, problem);
  return problem;
}

}  // namespace ipusim::workloads
