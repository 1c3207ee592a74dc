// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/onnx/onnx_fusing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <set>

#include "ipusim/ids.h"
#include "workloads/networks/operations/elementwise/unary.h"
#include "workloads/networks/operations/rows/normalisation.h"

namespace ipusim::workloads {

namespace {

constexpr std::size_t kNoMaker = static_cast<std::size_t>(-1);
constexpr double kHalfRoot = 0.7071067811865476;       // 1 / sqrt(2)
constexpr double kRootTwoOverPi = 0.7978845608028654;  // sqrt(2 / pi)
constexpr double kCube = 0.044715;

bool isNear(double value, double wanted) {
  return std::abs(value - wanted) <= 1e-4 * std::abs(wanted);
}

/// A layer in place of nodes.
struct Found {
  std::string kind;
  OperationPointer operation;
  std::vector<NetworkTensorId> operands;
  std::set<std::size_t> inner;  ///< nodes that go, besides the last one
};

/// Finds layers that end in a node.
class Patterns {
 public:
  Patterns(const NetworkGraph& graph, const std::vector<NetworkTensorId>& results)
      : graph_(graph),
        makers_(graph.tensors().size(), kNoMaker),
        readers_(graph.tensors().size(), 0) {
    for (std::size_t n = 0; n < graph.nodes().size(); ++n) {
      for (const NetworkTensorId result : graph.nodes()[n].results) makers_[indexOf(result)] = n;
      for (const NetworkTensorId operand : graph.nodes()[n].operands) ++readers_[indexOf(operand)];
    }
    for (const NetworkTensorId result : results) ++readers_[indexOf(result)];
  }

  [[nodiscard]] std::optional<Found> endingIn(std::size_t node) const {
    for (const auto find : {&Patterns::gelu, &Patterns::silu, &Patterns::layerNorm}) {
      std::optional<Found> found = (this->*find)(node);
      if (found && isClosed(*found, node)) return found;
    }
    return std::nullopt;
  }

 private:
  using Nodes = std::set<std::size_t>;

  [[nodiscard]] const NetworkNode& node(std::size_t index) const { return graph_.nodes()[index]; }
  [[nodiscard]] bool isKind(std::size_t index, const char* kind) const {
    return index != kNoMaker && node(index).operation->kind() == kind;
  }
  /// The maker of a tensor, which is of a kind; notes it.
  [[nodiscard]] std::size_t made(NetworkTensorId tensor, const char* kind, Nodes& inner) const {
    const std::size_t maker = makers_[indexOf(tensor)];
    if (!isKind(maker, kind)) return kNoMaker;
    inner.insert(maker);
    return maker;
  }
  /// The number of a scale or of an operation with a number.
  [[nodiscard]] double numberOf(std::size_t index) const {
    return std::strtod(node(index).operation->settings().value_or("nan").c_str(), nullptr);
  }
  [[nodiscard]] NetworkTensorId operand(std::size_t index, std::size_t which) const {
    return node(index).operands[which];
  }
  /// x, where a tensor is x times a factor.
  [[nodiscard]] std::optional<NetworkTensorId> unscaled(NetworkTensorId tensor, double factor,
                                                        Nodes& inner) const {
    const std::size_t scale = made(tensor, "scale", inner);
    if (scale == kNoMaker || !isNear(numberOf(scale), factor)) return std::nullopt;
    return operand(scale, 0);
  }
  /// x, where a tensor is x plus a number.
  [[nodiscard]] std::optional<NetworkTensorId> withoutNumber(NetworkTensorId tensor, double number,
                                                             Nodes& inner) const {
    const std::size_t sum = made(tensor, "add_number", inner);
    if (sum == kNoMaker || !isNear(numberOf(sum), number)) return std::nullopt;
    return operand(sum, 0);
  }

  /// Nothing outside reads what goes.
  [[nodiscard]] bool isClosed(const Found& found, std::size_t last) const {
    std::map<std::size_t, std::size_t> inside;
    Nodes all = found.inner;
    all.insert(last);
    for (const std::size_t n : all) {
      for (const NetworkTensorId read : node(n).operands) ++inside[indexOf(read)];
    }
    return std::all_of(found.inner.begin(), found.inner.end(), [&](std::size_t n) {
      const auto& results = node(n).results;
      return std::all_of(results.begin(), results.end(), [&](NetworkTensorId result) {
        const auto known = inside.find(indexOf(result));
        return readers_[indexOf(result)] == (known == inside.end() ? 0 : known->second);
      });
    });
  }

  /// x, where a tensor is 1 + erf(x / sqrt(2)).
  [[nodiscard]] std::optional<NetworkTensorId> ofErf(NetworkTensorId tensor, Nodes& inner) const {
    const auto erf_of = withoutNumber(tensor, 1, inner);
    if (!erf_of) return std::nullopt;
    const std::size_t erf = made(*erf_of, "erf", inner);
    return erf == kNoMaker ? std::nullopt : unscaled(operand(erf, 0), kHalfRoot, inner);
  }

  /// x, where a tensor is 1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)).
  [[nodiscard]] std::optional<NetworkTensorId> ofTanh(NetworkTensorId tensor, Nodes& inner) const {
    const auto tanh_of = withoutNumber(tensor, 1, inner);
    if (!tanh_of) return std::nullopt;
    const std::size_t tanh = made(*tanh_of, "tanh", inner);
    if (tanh == kNoMaker) return std::nullopt;
    const auto sum_of = unscaled(operand(tanh, 0), kRootTwoOverPi, inner);
    if (!sum_of) return std::nullopt;
    const std::size_t sum = made(*sum_of, "add", inner);
    if (sum == kNoMaker) return std::nullopt;
    for (const std::size_t side : {0U, 1U}) {
      Nodes tried = inner;
      const NetworkTensorId x = operand(sum, side);
      const auto cube = unscaled(operand(sum, 1 - side), kCube, tried);
      if (!cube || !isCube(*cube, x, tried)) continue;
      inner = tried;
      return x;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool isCube(NetworkTensorId tensor, NetworkTensorId x, Nodes& inner) const {
    if (made(tensor, "power_number", inner) != kNoMaker) {
      const std::size_t power = makers_[indexOf(tensor)];
      return operand(power, 0) == x && isNear(numberOf(power), 3);
    }
    const std::size_t product = made(tensor, "multiply", inner);
    if (product == kNoMaker) return false;
    for (const std::size_t side : {0U, 1U}) {
      const std::size_t square = makers_[indexOf(operand(product, side))];
      if (!isKind(square, "multiply") || operand(product, 1 - side) != x) continue;
      if (operand(square, 0) != x || operand(square, 1) != x) continue;
      inner.insert(square);
      return true;
    }
    return false;
  }

  /// x (1 + f(x)) / 2, where the half stands with any of the factors, or with the product.
  [[nodiscard]] std::optional<Found> gelu(std::size_t last) const {
    Nodes inner;
    std::size_t product = last;
    bool has_half = false;
    if (isKind(last, "scale") && isNear(numberOf(last), 0.5)) {
      product = made(operand(last, 0), "multiply", inner);
      has_half = true;
    }
    if (!isKind(product, "multiply")) return std::nullopt;
    for (const std::size_t side : {0U, 1U}) {
      for (const bool is_tanh : {false, true}) {
        Nodes tried = inner;
        bool found_half = has_half;
        const auto without_half = [&](NetworkTensorId tensor) {
          Nodes scaled = tried;
          const auto whole = found_half ? std::nullopt : unscaled(tensor, 0.5, scaled);
          if (!whole) return tensor;
          found_half = true;
          tried = scaled;
          return *whole;
        };
        const NetworkTensorId bend = without_half(operand(product, side));
        const auto x = is_tanh ? ofTanh(bend, tried) : ofErf(bend, tried);
        if (!x) continue;
        if (operand(product, 1 - side) != *x && without_half(operand(product, 1 - side)) != *x) {
          continue;
        }
        if (!found_half) continue;
        const UnaryFunction function = is_tanh ? UnaryFunction::GeluTanh : UnaryFunction::Gelu;
        return Found{rowOf(function).word, unary(function), {*x}, tried};
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Found> silu(std::size_t last) const {
    if (!isKind(last, "multiply")) return std::nullopt;
    for (const std::size_t side : {0U, 1U}) {
      Nodes inner;
      const std::size_t gate = made(operand(last, side), "sigmoid", inner);
      if (gate == kNoMaker || operand(gate, 0) != operand(last, 1 - side)) continue;
      return Found{"silu", unary(UnaryFunction::Silu), {operand(gate, 0)}, inner};
    }
    return std::nullopt;
  }

  /// The operand of a mean over the last dimension, which is kept.
  [[nodiscard]] std::optional<NetworkTensorId> meanOf(NetworkTensorId tensor, Nodes& inner) const {
    const std::size_t mean = made(tensor, "reduce_mean", inner);
    if (mean == kNoMaker) return std::nullopt;
    Shape kept = graph_.shapeOf(operand(mean, 0));
    if (kept.empty() || kept.back() == 1) return std::nullopt;
    kept.back() = 1;
    return graph_.shapeOf(tensor) == kept ? std::make_optional(operand(mean, 0)) : std::nullopt;
  }

  /// (x - mean) / sqrt(mean of squares + epsilon) scale + bias, over the last dimension.
  [[nodiscard]] std::optional<Found> layerNorm(std::size_t last) const {
    if (!isKind(last, "add")) return std::nullopt;
    Nodes inner;
    const std::size_t product = made(operand(last, 0), "multiply", inner);
    if (product == kNoMaker) return std::nullopt;
    const std::size_t quotient = made(operand(product, 0), "divide", inner);
    if (quotient == kNoMaker) return std::nullopt;
    const NetworkTensorId centred = operand(quotient, 0);
    const std::size_t difference = made(centred, "subtract", inner);
    const std::size_t root = made(operand(quotient, 1), "sqrt", inner);
    if (difference == kNoMaker || root == kNoMaker) return std::nullopt;
    const std::size_t sum = made(operand(root, 0), "add_number", inner);
    if (sum == kNoMaker) return std::nullopt;
    const auto squares = meanOf(operand(sum, 0), inner);
    const auto x = meanOf(operand(difference, 1), inner);
    if (!squares || !x || *x != operand(difference, 0)) return std::nullopt;
    const std::size_t square = made(*squares, "multiply", inner);
    if (square == kNoMaker || operand(square, 0) != centred || operand(square, 1) != centred) {
      return std::nullopt;
    }
    const Shape channels{graph_.shapeOf(*x).back()};
    const NetworkTensorId scale = operand(product, 1);
    const NetworkTensorId bias = operand(last, 1);
    if (graph_.shapeOf(scale) != channels || graph_.shapeOf(bias) != channels) return std::nullopt;
    return Found{
        "layer_norm", normalisation({NormKind::Layer, 1, numberOf(sum)}), {*x, scale, bias}, inner};
  }

  const NetworkGraph& graph_;
  std::vector<std::size_t> makers_;   ///< by tensor: the node
  std::vector<std::size_t> readers_;  ///< by tensor: how many operands it is
};

/// Adds the parts of nodes that nothing reads to those that go: an operator makes parts for all of
/// its results. What a whole node makes and nothing reads, the file's writer put there.
void dropUnreadParts(const NetworkGraph& graph, const std::vector<NetworkTensorId>& results,
                     std::set<std::size_t>& gone) {
  std::vector<bool> is_read(graph.tensors().size(), false);
  for (const NetworkTensorId result : results) is_read[indexOf(result)] = true;
  for (std::size_t n = graph.nodes().size(); n-- > 0;) {
    const NetworkNode& node = graph.nodes()[n];
    const bool is_part = node.name.find('/') != std::string::npos;
    const bool is_needed =
        std::any_of(node.results.begin(), node.results.end(),
                    [&](NetworkTensorId result) { return is_read[indexOf(result)]; });
    if (is_part && !is_needed) {
      gone.insert(n);
      continue;
    }
    for (const NetworkTensorId operand : node.operands) is_read[indexOf(operand)] = true;
  }
}

}  // namespace

FusedNetwork fuseLayers(const NetworkGraph& graph, const std::vector<NetworkTensorId>& results) {
  const Patterns patterns(graph, results);
  std::map<std::size_t, Found> found;
  std::set<std::size_t> gone;
  for (std::size_t n = graph.nodes().size(); n-- > 0;) {
    if (gone.count(n) > 0) continue;
    std::optional<Found> layer = patterns.endingIn(n);
    if (!layer) continue;
    gone.insert(layer->inner.begin(), layer->inner.end());
    found.emplace(n, *std::move(layer));
  }
  dropUnreadParts(graph, results, gone);
  FusedNetwork fused;
  std::vector<NetworkTensorId> copies(graph.tensors().size());
  for (std::size_t t = 0; t < copies.size(); ++t) {
    const NetworkTensor& tensor = graph.tensors()[t];
    if (tensor.role == TensorRole::Result) continue;
    copies[t] = tensor.values.empty()
                    ? fused.graph.addSource(tensor.name, tensor.type, tensor.role)
                    : fused.graph.addConstant(tensor.name, tensor.type, tensor.values);
  }
  const auto copied = [&](std::vector<NetworkTensorId> tensors) {
    for (NetworkTensorId& tensor : tensors) tensor = copies[indexOf(tensor)];
    return tensors;
  };
  for (std::size_t n = 0; n < graph.nodes().size(); ++n) {
    if (gone.count(n) > 0) continue;
    const NetworkNode& node = graph.nodes()[n];
    const auto layer = found.find(n);
    const bool is_fused = layer != found.end();
    if (is_fused) ++fused.layers[layer->second.kind];
    const std::vector<NetworkTensorId> made =
        fused.graph.addNode(node.name, is_fused ? layer->second.operation : node.operation,
                            copied(is_fused ? layer->second.operands : node.operands));
    for (std::size_t r = 0; r < node.results.size(); ++r)
      copies[indexOf(node.results[r])] = made[r];
  }
  fused.results = copied(results);
  return fused;
}

}  // namespace ipusim::workloads
