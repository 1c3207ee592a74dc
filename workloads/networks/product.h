// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "workloads/networks/layer.h"
#include "workloads/ops/matmul/lower.h"

// Products between tensors that lie anyhow.

namespace ipusim::workloads {

/// (groups, m, k) and (groups, k, n)
struct ProductOperands {
  Tensor left;
  Tensor right;
};

/// `site` with `part` below its name.
LayerSite within(LayerSite site, const std::string& part);

/// The product of operands of these shapes; all but its sizes as in `options`.
MatmulProblem problemOf(const MatmulProblem& options, const ProductOperands& operands);

/// Adds the product as the vendor's library plans it, from bringing both operands on: (groups, m,
/// n), where its plan leaves it.
Tensor addProduct(const LayerSite& site, const MatmulProblem& options,
                  const ProductOperands& operands, Lifetime result, Program& program);

}  // namespace ipusim::workloads
