// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "workloads/networks/lowering/node_lowering.h"

// Lowerings that move nothing, or bring elements into order.

namespace ipusim::workloads {

/// For operations whose result is a view of the operands: no step makes it.
using MakeView = std::function<Tensor(const std::vector<Tensor>& operands)>;
NodeLoweringPointer lowerView(MakeView make, NodeSite site);

/// A copy with its elements row-major, spread linearly over the tiles.
NodeLoweringPointer lowerRowMajor(NodeSite site);

/// `tensor` with its elements repeated, as broadcasting repeats them.
Tensor broadcastView(const Tensor& tensor, const Shape& shape);

}  // namespace ipusim::workloads
