// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "workloads/networks/layer.h"
#include "workloads/ops/matmul/lower.h"

// Products of tensors that may lie anywhere.

namespace ipusim::workloads {

/// The operands: (groups, m, k) and (groups, k, n).
struct ProductOperands {
  Tensor left;
  Tensor right;
};

/// `site` with `part` appended to its name.
LayerSite within(LayerSite site, const std::string& part);

/// The problem for operands of these shapes, with the other options of `options`.
MatmulProblem problemOf(const MatmulProblem& options, const ProductOperands& operands);

/// Adds the product as the vendor's library plans it, and the copies that bring both operands to
/// the plan. Returns (groups, m, n), where the plan leaves it.
Tensor addProduct(const LayerSite& site, const MatmulProblem& options,
                  const ProductOperands& operands, Lifetime result, Program& program);

}  // namespace ipusim::workloads
