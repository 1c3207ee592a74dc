// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/networks/operations/products/product.h"
#include "workloads/networks/operations/windows/convolution.h"
#include "workloads/ops/conv/planner/plan.h"
#include "workloads/ops/matmul/plan.h"

// The products and convolutions of networks, as the vendor's library is asked to plan them.

namespace ipusim::workloads {

/// What a plan depends on beside the sizes.
struct PlanningSite {
  ElementType type;
  ProductSettings products;
  bool is_training;  ///< the network has a backward pass
};

MatmulProblem plannedProblem(const GroupedProduct& product, const PlanningSite& site);
ConvProblem plannedProblem(const ConvolutionNode& node, const PlanningSite& site);

}  // namespace ipusim::workloads
