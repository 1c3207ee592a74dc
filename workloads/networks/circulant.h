// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/networks/layer.h"
#include "workloads/ops/matmul/plan.h"

namespace ipusim::workloads {

/// y = C x + b with a circulant matrix: C(i, j) = c[(i - j) mod features].
struct CirculantShape {
  std::uint64_t features;
  MatmulProblem options = {};  ///< of the product: all but its sizes
};

/// A circulant layer without a Fourier transform, which the vendor's front end has no operator for:
/// the matrix is looked up from its first column, and multiplied as any other. What ran for the
/// published figure is not known. Parameters: "c", the first column, and "bias".
class CirculantLayer : public Layer {
 public:
  CirculantLayer(const LayerSite& site, const CirculantShape& shape);

  Tensor forward(const Tensor& x, Lifetime result, Program& program) override;
  std::vector<Tensor> backward(const Tensor& gradient, Program& program) override;
  [[nodiscard]] Values reference(const std::vector<Values>& parameters,
                                 const Values& x) const override;
  [[nodiscard]] Flops forwardFlops() const override;

  /// The product of the forward pass.
  [[nodiscard]] MatmulProblem problem() const;

 private:
  CirculantShape shape_;
  Tensor indices_;  ///< in `c`, of the elements of C, row-major
  Tensor x_;
};

}  // namespace ipusim::workloads
