// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/ops/matmul/site.h"

namespace ipusim::workloads {

/// Where an operand comes from, and where it goes in each of its serial steps.
struct OperandArrival {
  Tensor source;  ///< (groups, rows, channels), with any mapping and without padding
  const std::vector<BlockedOperand>& steps;
};

/// Adds to `program` the steps that bring both operands of a product to where its plan wants them,
/// and clear the padding: one copy, one compute set that transposes, one that clears. When the rows
/// of a source are consecutive instead of its channels, its matrices arrive as they are and are
/// transposed on the tiles.
void rearrangeOperands(const MatmulSite& site, const std::vector<OperandArrival>& arrivals,
                       Program& program);

/// Clears what operands have beyond the in channels of each step, in one step, if there is
/// anything.
void clearPadding(const MatmulSite& site,
                  const std::vector<const std::vector<BlockedOperand>*>& operands,
                  Program& program);

}  // namespace ipusim::workloads
