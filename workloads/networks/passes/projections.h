// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "workloads/networks/passes/rewrite.h"

namespace ipusim::workloads {

/// x W, or x W + b, where the parameters W, (inputs, outputs), and b, (outputs), are read here
/// only.
struct Projection {
  const NetworkNode* product;
  const NetworkNode* sum = nullptr;  ///< adds the bias; null without one

  [[nodiscard]] NetworkTensorId x() const { return product->operands[0]; }
  [[nodiscard]] NetworkTensorId weights() const { return product->operands[1]; }
  [[nodiscard]] NetworkTensorId result() const {
    return (sum != nullptr ? sum : product)->results.front();
  }
};

/// The projection whose elements a tensor has, in another shape or order. Nothing else reads what
/// lies between.
std::optional<Projection> projectionBehind(const GraphRewrite& rewrite, NetworkTensorId tensor);

}  // namespace ipusim::workloads
