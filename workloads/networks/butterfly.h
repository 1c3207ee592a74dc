// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/networks/layer.h"
#include "workloads/ops/butterfly/butterfly.h"

namespace ipusim::workloads {

/// A butterfly layer, with or without a bias of its own, as the op sequence of the PyTorch code
/// runs through the vendor's front end. Parameters: "twiddles", of twiddleShape, and "bias".
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

/// The stages in numbers, on row-major rows and twiddles as they are stored.
Values butterflyReference(const ButterflyShape& shape, const Values& twiddles, Values rows);

}  // namespace ipusim::workloads
