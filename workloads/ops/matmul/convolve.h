// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "workloads/ops/matmul/reduce.h"
#include "workloads/ops/matmul/site.h"

namespace ipusim::workloads {

/// The operands of the multiplying vertices of one serial step.
struct ConvolveOperands {
  BlockedOperand input;
  BlockedOperand weights;
  std::vector<Tensor>
      input_copies;  ///< a tile's own copy of its input block; none: the vertices read `input`
};

/// The results of the multiplying vertices. Each block of the result has one set of partials per
/// part of the in channels. When the in channels are not split, `storage` has the blocks of the
/// result one after the other.
struct MatmulPartials {
  Tensor storage;
  std::vector<std::vector<PartialSet>> of_block;  ///< in the order of MatmulLayout::resultBlocks
};

/// Adds the vertices that multiply, one per part of the plan, to a compute set, and the compute set
/// to `program`. The partials live as long as `lifetime` says.
MatmulPartials addConvolve(const MatmulSite& site, const ConvolveOperands& operands,
                           Lifetime lifetime, Program& program);

}  // namespace ipusim::workloads
