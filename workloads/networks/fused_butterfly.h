// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/networks/butterfly.h"
#include "workloads/ops/butterfly/fused_butterfly.h"

namespace ipusim::workloads {

/// A butterfly layer that is written by hand for the machine. It cuts features and rows over the
/// tiles and has one vertex per tile and stage. Inputs and outputs lie as the stages want them.
/// Forward pass only.
class FusedButterflyLayer : public ButterflyLayer {
 public:
  FusedButterflyLayer(const LayerSite& site, const ButterflyShape& shape, bool has_bias);

  Tensor addInput(const std::string& name, std::uint64_t inputs) override;
  /// `x` must come from addInput().
  Tensor forward(const Tensor& x, Lifetime result, Program& program) override;
  /// Throws InternalError: this layer has no backward pass.
  std::vector<Tensor> backward(const Tensor& gradient, Program& program) override;

 private:
  ButterflyGrid grid_;
};

}  // namespace ipusim::workloads
