// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/networks/layer.h"
#include "workloads/ops/gather/multi_slice.h"
#include "workloads/ops/matmul/plan.h"

namespace ipusim::workloads {

/// y = C x + b with a circulant matrix: C(i, j) = c[(i - j) mod features].
struct CirculantShape {
  std::uint64_t features;
  MatmulProblem options = {};  ///< options of the product, without its sizes
};

/// For each element of the matrix, the index of its value in the first column.
RowNumbers circulantIndices(std::uint64_t features);

/// A circulant layer without a Fourier transform, for which the vendor's front end has no operator.
/// The layer looks up the matrix from its first column, and multiplies by it as by any other. It is
/// not known what ran for the published figure.
/// Parameters: "c", the first column, and "bias".
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
  Tensor indices_;  ///< for each element of C, row-major, its index in `c`
  Tensor x_;
};

}  // namespace ipusim::workloads
