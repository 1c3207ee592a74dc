// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/networks/dag/operation.h"
#include "workloads/ops/butterfly/butterfly.h"
#include "workloads/ops/gather/bags.h"
#include "workloads/ops/gather/multi_slice.h"

// Operations of layers with structured matrices.

namespace ipusim::workloads {

/// The stages of a butterfly: (..., features) and twiddles of twiddleShape() give (..., features),
/// and the rows between the stages, each (rows, features), which the gradient reads.
OperationPointer butterflyStages(const ButterflyShape& shape);

/// The Walsh-Hadamard transform of rows, (rows, features), not normalised.
OperationPointer hadamard();

/// Rows of a table by numbers that are known: (rows, columns) gives (numbers, columns).
OperationPointer lookUpRows(const RowNumbers& numbers);
OperationPointer lookUpRows(const std::vector<std::uint64_t>& numbers);

/// The sums of bags of rows: (bags.rows, columns) gives (bags.count, columns). `numbers` are the
/// rows of the bags, in the order of BagSteps.
OperationPointer sumBags(const Bags& bags, const std::vector<std::uint64_t>& numbers);

}  // namespace ipusim::workloads
