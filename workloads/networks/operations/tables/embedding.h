// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "workloads/networks/graph/operation.h"

// Rows of tables by indices that are operands.

namespace ipusim::workloads {

/// Rows of a table by their indices: (rows, ...) and indices of any shape give (indices..., ...).
OperationPointer embedding();

/// A table of `rows` rows: the sums of the rows of equal indices, from (indices, rows).
OperationPointer sumByIndex(std::uint64_t rows);

}  // namespace ipusim::workloads
