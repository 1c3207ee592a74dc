// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ipusim/graph.h"
#include "ipusim/units.h"

// The layers of a network, as the vendor's PyTorch front end lowers the operations of their code.

namespace ipusim::workloads {

using Values = std::vector<double>;

/// Where a layer is built, and what on.
struct LayerSite {
  Graph& graph;
  const Architecture& machine;
  std::string name;  ///< heads the names of all that the layer adds
  std::uint64_t batch;
  ElementType type = ElementType::Float;
};

/// The widths of a layer.
struct LayerSize {
  std::uint64_t inputs;
  std::uint64_t outputs;
  bool has_bias;  ///< a bias is added to the outputs
};

/// What training learns.
struct Parameter {
  std::string name;
  Tensor tensor;  ///< all elements of it, in one variable that lives always; others are padding
};

/// A layer from (batch, inputs) to (batch, outputs). Its variables are added by the constructor,
/// its steps by `forward` and `backward`, in this order, at most once each.
class Layer {
 public:
  virtual ~Layer() = default;
  Layer& operator=(const Layer&) = delete;

  [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }

  /// A variable for (batch, inputs) that lives always: spread linearly, unless the layer wants it
  /// otherwise.
  virtual Tensor addInput(const std::string& name, std::uint64_t inputs);

  /// Adds the forward pass on `x`, (batch, inputs); the result lives as long as `result` says.
  virtual Tensor forward(const Tensor& x, Lifetime result, Program& program) = 0;

  /// Adds the backward pass as far as the parameters. `gradient` lies like the result of `forward`.
  /// Gradients of the parameters in their order, each lying like its parameter.
  virtual std::vector<Tensor> backward(const Tensor& gradient, Program& program) = 0;

  /// The forward pass in numbers: row-major (batch, outputs) from row-major `x` and the values of
  /// the parameters in their order.
  [[nodiscard]] virtual Values reference(const std::vector<Values>& parameters,
                                         const Values& x) const = 0;

  /// Useful work of the forward pass on the whole batch.
  [[nodiscard]] virtual Flops forwardFlops() const = 0;
  /// Parameters of the dense layer that this one replaces.
  [[nodiscard]] std::uint64_t denseParameters() const {
    return size_.outputs * (size_.inputs + (size_.has_bias ? 1 : 0));
  }

 protected:
  Layer(LayerSite site, const LayerSize& size) : site_(std::move(site)), size_(size) {}
  Layer(const Layer&) = default;

  /// A parameter that is spread linearly over the tiles.
  const Tensor& addParameter(const std::string& name, const Shape& shape);

  LayerSite site_;
  std::vector<Parameter> parameters_;

 private:
  LayerSize size_;
};

/// Adds the gradient of a bias, lying like `bias`: the rows of `gradient` added up.
Tensor biasGradient(const LayerSite& site, const Tensor& bias, const Tensor& gradient,
                    Program& program);

/// Parameters that `layer` has.
std::uint64_t countOf(const Layer& layer);

}  // namespace ipusim::workloads
