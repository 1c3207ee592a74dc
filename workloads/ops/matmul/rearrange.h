// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/graph/graph.h"
#include "workloads/ops/matmul/layout.h"

namespace ipusim::workloads {

/// Adds the steps that bring `source`, (groups, rows, channels) mapped anyhow and not padded, into
/// `operand`, and clears the operand's padding. Where not the source's channels but its rows are
/// consecutive, its matrices arrive as they are and are transposed on the tiles.
void rearrangeOperand(Graph& graph, const models::Machine& machine, const MatmulLayout& layout,
                      const Tensor& source, const BlockedOperand& operand);

/// Clears what `operand` has beyond the plan's in channels, if anything.
void clearPadding(Graph& graph, const models::Machine& machine, const MatmulLayout& layout,
                  const BlockedOperand& operand);

}  // namespace ipusim::workloads
