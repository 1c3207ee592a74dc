// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/networks/dense.h"

namespace ipusim::workloads {

/// y = (x H^T) G + b with H, (rank, inputs), and G, (rank, outputs).
struct LowRankShape {
  std::uint64_t inputs;
  std::uint64_t outputs;
  std::uint64_t rank;
  MatmulProblem options = {};  ///< options of the products, without their sizes
};

/// A dense layer whose weights have a low rank: two products as the vendor's library plans them,
/// and one broadcast addition.
/// Parameters: "h", (inputs, rank), which is H^T; "g", (rank, outputs); and "bias".
/// Source: HazyResearch/structured-nets, class LowRank.
class LowRankLayer : public Layer {
 public:
  LowRankLayer(const LayerSite& site, const LowRankShape& shape);

  Tensor forward(const Tensor& x, Lifetime result, Program& program) override;
  std::vector<Tensor> backward(const Tensor& gradient, Program& program) override;
  [[nodiscard]] Values reference(const std::vector<Values>& parameters,
                                 const Values& x) const override;
  [[nodiscard]] Flops forwardFlops() const override;

  /// The products of the forward pass, in the order they run.
  [[nodiscard]] std::vector<MatmulProblem> problems() const;

 private:
  LowRankShape shape_;
  DenseLayer narrow_;  ///< x H^T
  DenseLayer wide_;    ///< the product with G, and the bias
};

}  // namespace ipusim::workloads
