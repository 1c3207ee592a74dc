// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dag/made_up.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "ipusim/ids.h"
#include "workloads/networks/dag/convolution.h"
#include "workloads/networks/dag/product.h"

namespace ipusim::workloads {

namespace {

/// How many products an element of a node's result sums. 1 for what is no product of tensors.
double productsOf(const NetworkNode& node, const TensorTypes& operands) {
  if (const auto product = productOf(*node.operation, operands)) {
    return static_cast<double>(product->k);
  }
  const auto convolution = convolutionOf(*node.operation, operands);
  if (!convolution) return 1;
  const bool is_forward = convolution->direction == ConvolutionNode::Direction::Forward;
  const std::uint64_t channels = is_forward ? convolution->in_channels : convolution->out_channels;
  const std::uint64_t of_group = channels / convolution->shape.groups;
  auto products = static_cast<double>(of_group * elementsOf(convolution->windowed.window));
  if (is_forward) return products;
  for (const std::uint64_t stride : convolution->windowed.motion.stride) {
    products /= static_cast<double>(stride);
  }
  return products;
}

/// The most products that a node sums of which each has an element of `source`.
double productsWith(const NetworkGraph& network, NetworkTensorId source) {
  double most = 1;
  for (const NetworkNode& node : network.nodes()) {
    if (node.pass != NetworkPass::Forward) continue;
    if (std::find(node.operands.begin(), node.operands.end(), source) == node.operands.end()) {
      continue;
    }
    most = std::max(most, productsOf(node, network.typesOf(node.operands)));
  }
  return most;
}

bool isNeverNegative(const NetworkGraph& network, NetworkTensorId source) {
  const auto& nodes = network.nodes();
  return std::any_of(nodes.begin(), nodes.end(), [source](const NetworkNode& node) {
    for (std::size_t o = 0; o < node.operands.size(); ++o) {
      if (node.operands[o] == source && node.operation->isNeverNegative(o)) return true;
    }
    return false;
  });
}

TensorValues positiveValues(std::uint64_t elements) {
  constexpr std::uint64_t kDifferent = 7;
  TensorValues values(elements);
  for (std::size_t e = 0; e < values.size(); ++e) {
    values[e] = static_cast<double>(1 + e % kDifferent) / kDifferent;
  }
  return values;
}

/// Numbers from -bound to bound.
TensorValues numbersUpTo(double bound, std::uint64_t elements, std::uint64_t seed) {
  // The standard fixes the bits of the generator, but not those of its distributions.
  constexpr double kRange = 18446744073709551616.0;  // 2^64
  std::mt19937_64 generator(seed);
  TensorValues values(elements);
  for (double& value : values) {
    value = bound * (2 * (static_cast<double>(generator()) / kRange) - 1);
  }
  return values;
}

}  // namespace

TensorValues madeUpValues(const NetworkGraph& network, NetworkTensorId source) {
  const std::uint64_t elements = elementsOf(network.shapeOf(source));
  if (isNeverNegative(network, source)) return positiveValues(elements);
  if (network[source].role != TensorRole::Parameter) return {};
  const double products = productsWith(network, source);
  if (products <= 3) return {};
  // Numbers spread evenly up to b have the variance b^2 / 3.
  return numbersUpTo(std::sqrt(3 / products), elements, indexOf(source));
}

}  // namespace ipusim::workloads
