// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ipusim/graph.h"
#include "ipusim/units.h"
#include "workloads/ops/numbers.h"

// The layers of a network. They have the operations to which the vendor's PyTorch front end lowers
// their code.

namespace ipusim::workloads {

/// Where a layer is built: the graph, the machine, and what all layers of a network share.
struct LayerSite {
  Graph& graph;
  const Architecture& machine;
  std::string name;  ///< prefix of the names of all that the layer adds
  std::uint64_t batch;
  ElementType type = ElementType::Float;
};

/// The widths of a layer.
struct LayerSize {
  std::uint64_t inputs;
  std::uint64_t outputs;
  bool has_bias;  ///< a bias is added to the outputs
};

/// A tensor that training learns.
struct Parameter {
  std::string name;
  Tensor tensor;  ///< all elements of the parameter, in one variable that lives always; other
                  ///< elements are padding
};

/// A layer from (batch, inputs) to (batch, outputs). The constructor adds its variables. `forward`
/// and then `backward`, each called at most once, add its steps.
class Layer {
 public:
  virtual ~Layer() = default;
  Layer& operator=(const Layer&) = delete;

  [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }

  /// Adds a variable for (batch, inputs) that lives always. It is spread linearly, unless the layer
  /// wants another layout.
  virtual Tensor addInput(const std::string& name, std::uint64_t inputs);

  /// Adds the forward pass on `x`, (batch, inputs). The result lives as long as `result` says.
  virtual Tensor forward(const Tensor& x, Lifetime result, Program& program) = 0;

  /// Adds the backward pass as far as the parameters. `gradient` must lie like the result of
  /// `forward`. Returns the gradients of the parameters, in their order; each lies like its
  /// parameter.
  virtual std::vector<Tensor> backward(const Tensor& gradient, Program& program) = 0;

  /// Adds the gradient of the input, (batch, inputs), from the gradient of the result. Comes after
  /// `backward`. Only a layer that may follow another one has it; the others throw InternalError.
  virtual Tensor inputGradient(const Tensor& gradient, Program& program);

  /// Computes the forward pass: row-major (batch, outputs) from row-major `x` and the values of the
  /// parameters, in their order.
  [[nodiscard]] virtual Values reference(const std::vector<Values>& parameters,
                                         const Values& x) const = 0;

  /// Useful work of the forward pass on the whole batch.
  [[nodiscard]] virtual Flops forwardFlops() const = 0;
  /// The number of parameters of the dense layer that this one replaces.
  [[nodiscard]] std::uint64_t denseParameters() const {
    return size_.outputs * (size_.inputs + (size_.has_bias ? 1 : 0));
  }

 protected:
  Layer(LayerSite site, const LayerSize& size) : site_(std::move(site)), size_(size) {}
  Layer(const Layer&) = default;

  /// Adds a parameter of the site's type that is spread linearly over the tiles.
  const Tensor& addParameter(const std::string& name, const Shape& shape) {
    return addParameter(name, shape, site_.type);
  }
  const Tensor& addParameter(const std::string& name, const Shape& shape, ElementType type);

  LayerSite site_;
  std::vector<Parameter> parameters_;

 private:
  LayerSize size_;
};

/// Builds a layer at a site.
using MakeLayer = std::function<std::shared_ptr<Layer>(const LayerSite& site)>;

/// Adds the gradient of a bias: the sum of the rows of `gradient`. It lies like `bias`.
Tensor biasGradient(const LayerSite& site, const Tensor& bias, const Tensor& gradient,
                    Program& program);

/// The number of parameters of `layer`.
std::uint64_t countOf(const Layer& layer);

}  // namespace ipusim::workloads
