// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/network_products.h"

#include <algorithm>
#include <optional>

#include "workloads/networks/lowering/planned_products.h"
#include "workloads/ops/conv/planner/pieces.h"

namespace ipusim::workloads {

namespace {

double real(std::uint64_t count) {
  return static_cast<double>(count);
}

/// Whether the plan of a product may have many pieces. A matrix of fewer elements has none.
bool mayBeLarge(const GroupedProduct& product) {
  constexpr double kMany = 1e7;
  const double m = real(product.m);
  const double k = real(product.k);
  const double n = real(product.n);
  return real(product.groups) * std::max({m * k, k * n, m * n}) >= kMany;
}

/// Whether the plan of a convolution may have many pieces. Its windows written out are the most
/// that it may make.
bool mayBeLarge(const ConvParams& params) {
  constexpr double kMany = 5e7;
  double windows = real(params.groups) * real(params.batch) * real(params.in_chans);
  double results = real(params.groups) * real(params.batch) * real(params.out_chans);
  for (const ConvDim& dim : params.dims) {
    windows *= real(dim.outputs()) * real(dim.kernelPositions());
    results *= real(dim.outputs());
  }
  return std::max(windows, results) >= kMany;
}

/// The plan that building a node asks for. None where that is no large product.
std::optional<ConvPlan> largePlanOf(const Architecture& machine, const NetworkNode& node,
                                    const TensorTypes& operands, const PlanningSite& site) {
  if (const auto product = productOf(*node.operation, operands)) {
    if (!mayBeLarge(*product)) return std::nullopt;
    return planMatmul(machine, plannedProblem(*product, site)).conv;
  }
  if (const auto conv = convolutionOf(*node.operation, operands)) {
    const ConvProblem problem = plannedProblem(*conv, site);
    if (mayBeLarge(problem.params)) return planConv(machine, problem);
  }
  return std::nullopt;
}

}  // namespace

LeastSize leastOfPlan(const Architecture& machine, const ConvPlan& plan) {
  const ConvPieces pieces = piecesOf(machine, plan);
  LeastSize least;
  least.operand_pieces = pieces.operands;
  least.view_pieces = pieces.windows;
  least.passed = pieces.passed;
  // A result that is computed in serial steps has an interval per step and tile.
  const std::uint64_t steps = plan.partition.out_chans_serial;
  if (steps > 1) least.intervals = real(steps) * plan.partition.tiles();
  return least;
}

std::vector<LeastSize> leastProducts(const Architecture& machine, const NetworkGraph& network) {
  const auto is_backward = [](const NetworkNode& node) {
    return node.pass == NetworkPass::Backward;
  };
  const auto& nodes = network.nodes();
  const bool is_training = std::any_of(nodes.begin(), nodes.end(), is_backward);
  std::vector<LeastSize> all;
  for (const NetworkNode& node : nodes) {
    const TensorTypes operands = network.typesOf(node.operands);
    if (operands.empty()) continue;
    const PlanningSite site{operands.front().type, network.products(), is_training};
    const auto plan = largePlanOf(machine, node, operands, site);
    if (!plan) continue;
    all.push_back(leastOfPlan(machine, *plan));
    // The gradient of the weights is brought to where the forward pass has them.
    if (is_training && node.pass == NetworkPass::Forward) all.push_back(all.back());
  }
  return all;
}

LeastSize allSizes(const std::vector<LeastSize>& sizes) {
  LeastSize sum;
  for (const LeastSize& size : sizes) sum = sum + size;
  return sum;
}

LeastSize largestSize(const std::vector<LeastSize>& sizes) {
  const auto largest = std::max_element(
      sizes.begin(), sizes.end(),
      [](const LeastSize& a, const LeastSize& b) { return a.parts() < b.parts(); });
  return largest == sizes.end() ? LeastSize() : *largest;
}

}  // namespace ipusim::workloads
