// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/networks/graph/operation.h"

namespace ipusim::workloads {

/// The elements of a dimension at `indices`, which are known when the network is built: in any
/// order, and as often as they are named. The result is a view, so that nothing moves by itself.
OperationPointer take(std::size_t axis, std::vector<std::uint64_t> indices);

}  // namespace ipusim::workloads
