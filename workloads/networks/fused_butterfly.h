// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/networks/butterfly.h"
#include "workloads/ops/butterfly/fused_butterfly.h"

namespace ipusim::workloads {

/// The same layer written for the machine by hand: features and rows cut over the tiles, a vertex a
/// tile and stage. Inputs and outputs lie as the stages want them. Forward only.
class FusedButterflyLayer : public ButterflyLayer {
 public:
  FusedButterflyLayer(const LayerSite& site, const ButterflyShape& shape, bool has_bias);

  Tensor addInput(const std::string& name, std::uint64_t inputs) override;
  /// `x` is of addInput.
  Tensor forward(const Tensor& x, Lifetime result, Program& program) override;
  /// Throws InternalError: there is none.
  std::vector<Tensor> backward(const Tensor& gradient, Program& program) override;

 private:
  ButterflyGrid grid_;
};

}  // namespace ipusim::workloads
