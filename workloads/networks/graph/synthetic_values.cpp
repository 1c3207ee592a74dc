// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/graph/synthetic_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <unordered_map>

#include "ipusim/ids.h"
#include "models/ipu/machine/element_words.h"
#include "workloads/networks/graph/evaluate.h"
#include "workloads/networks/operations/products/product.h"
#include "workloads/networks/operations/windows/convolution.h"

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

/// Where numbers lie that are made up.
enum class SyntheticRange : std::uint8_t { BothSigns, Positive, Negative, AboveOne };
constexpr std::array<SyntheticRange, 4> kSyntheticRanges{
    SyntheticRange::BothSigns, SyntheticRange::Positive, SyntheticRange::Negative,
    SyntheticRange::AboveOne};

/// Whole numbers below `below`, without 0 but for the range of both signs.
TensorValues wholeNumbers(SyntheticRange range, std::uint64_t elements, std::uint64_t below) {
  const std::uint64_t first = range == SyntheticRange::BothSigns || below < 2 ? 0 : 1;
  TensorValues values(elements);
  for (std::size_t e = 0; e < values.size(); ++e) {
    values[e] = static_cast<double>(first + e % (below - first));
  }
  return values;
}

TensorValues realsIn(SyntheticRange range, double bound, std::uint64_t elements,
                     std::uint64_t seed) {
  if (range == SyntheticRange::BothSigns) return numbersUpTo(bound, elements, seed);
  TensorValues values = positiveValues(elements);
  for (double& value : values) {
    value *= range == SyntheticRange::Negative ? -bound : bound;
    if (range == SyntheticRange::AboveOne) value += 1;
  }
  return values;
}

/// The most that a number of a source may be: less than 1 for weights whose products are summed.
double boundOf(const NetworkGraph& network, NetworkTensorId source) {
  if (network[source].role != TensorRole::Parameter) return 1;
  // Numbers spread evenly up to b have the variance b^2 / 3.
  return std::sqrt(3 / std::max(3.0, productsWith(network, source)));
}

TensorValues valuesIn(SyntheticRange range, const NetworkGraph& network, NetworkTensorId source) {
  const NetworkTensor& tensor = network[source];
  const std::uint64_t elements = elementsOf(tensor.type.shape);
  if (!tensor.values.empty()) return tensor.values;
  if (!isReal(tensor.type.type)) return wholeNumbers(range, elements, wholesBelow(network, source));
  if (isNeverNegative(network, source)) return positiveValues(elements);
  return realsIn(range, boundOf(network, source), elements, indexOf(source));
}

bool areNumbers(const TensorValues& values) {
  return std::all_of(values.begin(), values.end(),
                     [](double value) { return std::isfinite(value); });
}

/// The first node with a result that is no number.
const NetworkNode& firstWithoutNumbers(const NetworkGraph& network,
                                       const std::vector<TensorValues>& values) {
  const auto& nodes = network.nodes();
  return *std::find_if(nodes.begin(), nodes.end(), [&](const NetworkNode& node) {
    return std::any_of(node.results.begin(), node.results.end(), [&](NetworkTensorId result) {
      return !areNumbers(values[indexOf(result)]);
    });
  });
}

}  // namespace

std::uint64_t wholesBelow(const NetworkGraph& network, NetworkTensorId source) {
  for (const NetworkNode& node : network.nodes()) {
    for (std::size_t o = 0; o < node.operands.size(); ++o) {
      if (node.operands[o] != source) continue;
      const auto below = node.operation->indicesBelow(o, network.typesOf(node.operands));
      if (below) return *below;
    }
  }
  return 2;
}

std::optional<std::vector<TensorValues>> valuesInDomain(
    const NetworkGraph& network, const std::vector<NetworkTensorId>& sources,
    const std::vector<NetworkTensorId>& results) {
  const auto& nodes = network.nodes();
  const bool has_domain = std::any_of(nodes.begin(), nodes.end(), [](const NetworkNode& node) {
    return node.operation->hasDomain();
  });
  if (!has_domain) return std::nullopt;
  std::vector<TensorValues> found;
  for (const SyntheticRange range : kSyntheticRanges) {
    std::vector<TensorValues> values;
    std::unordered_map<std::size_t, TensorValues> by_source;
    for (const NetworkTensorId source : sources) {
      values.push_back(valuesIn(range, network, source));
      by_source.emplace(indexOf(source), values.back());
    }
    found = evaluate(network, by_source, EvaluatedResults::Rounded);
    const bool is_in_domain =
        std::all_of(results.begin(), results.end(),
                    [&](NetworkTensorId result) { return areNumbers(found[indexOf(result)]); });
    if (is_in_domain) return values;
  }
  const NetworkNode& node = firstWithoutNumbers(network, found);
  throw OperandError(node.name, OperandError("operands that can be made up so that its results are "
                                             "numbers, as a check of the numbers needs",
                                             "none among those between -2 and 2"));
}

TensorValues syntheticValues(const NetworkGraph& network, NetworkTensorId source) {
  const std::uint64_t elements = elementsOf(network.shapeOf(source));
  if (isNeverNegative(network, source)) return positiveValues(elements);
  const double bound = boundOf(network, source);
  if (bound == 1) return {};
  return numbersUpTo(bound, elements, indexOf(source));
}

}  // namespace ipusim::workloads
