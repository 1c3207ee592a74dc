// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "workloads/ops/matmul/reduce.h"
#include "workloads/ops/matmul/site.h"

namespace ipusim::workloads {

/// What the multiplying vertices of one serial step read.
struct ConvolveOperands {
  BlockedOperand input;
  BlockedOperand weights;
  std::vector<Tensor>
      input_copies;  ///< a tile's own copy of its input block; none: `input` is read
};

/// What they leave: a set of partials of every block of the result for each part of the in
/// channels. Where these are not split, `storage` is the blocks of the result one after the other.
struct Partials {
  Tensor storage;
  std::vector<std::vector<PartialSet>> of_block;  ///< in the order of MatmulLayout::resultBlocks
};

/// Adds the vertices that multiply, one part of the plan each, to a compute set and that to
/// `program`. The partials are `lifetime`.
Partials addConvolve(const MatmulSite& site, const ConvolveOperands& operands, Lifetime lifetime,
                     Program& program);

}  // namespace ipusim::workloads
