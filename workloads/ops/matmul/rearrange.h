// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/ops/matmul/site.h"

namespace ipusim::workloads {

/// Where an operand comes from, and where it goes: one for each of its serial steps.
struct OperandArrival {
  Tensor source;  ///< (groups, rows, channels), mapped anyhow and not padded
  const std::vector<BlockedOperand>& steps;
};

/// Adds to `program` the steps that bring both operands of a product to where its plan wants them,
/// padding cleared: one copy, one compute set that transposes, one that clears. Where not the
/// channels of a source but its rows are consecutive, its matrices arrive as they are and are
/// transposed on the tiles.
void rearrangeOperands(const MatmulSite& site, const std::vector<OperandArrival>& arrivals,
                       Program& program);

/// Clears what operands have beyond the in channels of each step, if anything, in one step.
void clearPadding(const MatmulSite& site,
                  const std::vector<const std::vector<BlockedOperand>*>& operands,
                  Program& program);

}  // namespace ipusim::workloads
