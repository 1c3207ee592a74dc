// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "workloads/networks/layer.h"
#include "workloads/ops/matmul/lower.h"

namespace ipusim::workloads {

/// y = x W + b.
struct DenseShape {
  std::uint64_t inputs;
  std::uint64_t outputs;
  bool has_bias = true;
  MatmulProblem options = {};  ///< options of the product, without its sizes
};

/// A fully connected layer: a product as the vendor's library plans it, and one broadcast addition.
/// The weights lie where the plan of the forward product wants them.
/// Parameters: "weights", (inputs, outputs), and "bias".
class DenseLayer : public Layer {
 public:
  DenseLayer(const LayerSite& site, const DenseShape& shape);

  Tensor forward(const Tensor& x, Lifetime result, Program& program) override;
  std::vector<Tensor> backward(const Tensor& gradient, Program& program) override;
  /// One product. The result lies where its plan leaves it.
  Tensor inputGradient(const Tensor& gradient, Program& program) override;
  [[nodiscard]] Values reference(const std::vector<Values>& parameters,
                                 const Values& x) const override;
  [[nodiscard]] Flops forwardFlops() const override;

  /// The product of the forward pass.
  [[nodiscard]] const MatmulProblem& problem() const { return problem_; }
  [[nodiscard]] const MatmulPlan& plan() const { return plan_; }

 private:
  [[nodiscard]] MatmulProblem passOf(ConvPass pass, std::uint64_t m, std::uint64_t k,
                                     std::uint64_t n) const;

  DenseShape shape_;
  MatmulProblem problem_;
  MatmulPlan plan_;
  MatmulOp product_;
  Tensor x_;
};

/// Builds a dense layer with a bias whose products are planned for training.
MakeLayer trainedDense(std::uint64_t inputs, std::uint64_t outputs);

}  // namespace ipusim::workloads
