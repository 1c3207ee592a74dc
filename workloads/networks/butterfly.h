// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "workloads/networks/layer.h"
#include "workloads/ops/butterfly/butterfly.h"

namespace ipusim::workloads {

/// A butterfly layer, with or without a bias of its own. It has the op sequence that the vendor's
/// front end runs for the PyTorch code.
/// Parameters: "twiddles", of twiddleShape, and "bias".
class ButterflyLayer : public Layer {
 public:
  ButterflyLayer(const LayerSite& site, const ButterflyShape& shape, bool has_bias);

  Tensor forward(const Tensor& x, Lifetime result, Program& program) override;
  std::vector<Tensor> backward(const Tensor& gradient, Program& program) override;
  [[nodiscard]] Values reference(const std::vector<Values>& parameters,
                                 const Values& x) const override;
  [[nodiscard]] Flops forwardFlops() const override;

 protected:
  ButterflyShape shape_;
  bool has_bias_;

 private:
  ButterflyPass pass_;
};

/// Two elements of the rows that a stage combines, and the first of their four twiddles.
struct ButterflyPair {
  std::uint64_t low;
  std::uint64_t high;
  std::uint64_t twiddle;
};

/// Calls `use` for all pairs of the stage of `stride` on `rows` rows.
void forEachPair(const ButterflyShape& shape, std::uint64_t stride, std::uint64_t rows,
                 const std::function<void(const ButterflyPair&)>& use);

/// Computes the stage of `stride` in place on row-major rows.
void applyStage(const ButterflyShape& shape, std::uint64_t stride, const Values& twiddles,
                Values& rows);

/// Computes the stages on row-major rows, with the twiddles as they are stored.
Values butterflyReference(const ButterflyShape& shape, const Values& twiddles, Values rows);

}  // namespace ipusim::workloads
