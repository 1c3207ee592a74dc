// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/networks/graph/operation.h"
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

/// A butterfly as a program for the machine has it: features and rows are cut over the tiles, with
/// one vertex per tile and stage, and no rows between the stages are kept. The numbers are those of
/// butterflyStages(). The operand is a source of the network, which lies as the stages want it, and
/// so does the result. There is no gradient.
OperationPointer fusedButterfly(const ButterflyShape& shape);

/// Rows of a table by numbers that are known and below `below`: (rows, columns) gives (numbers,
/// columns).
OperationPointer lookUpRows(const RowNumbers& numbers, std::uint64_t below);
OperationPointer lookUpRows(const std::vector<std::uint64_t>& numbers);

/// The sums of bags of rows: (bags.rows, columns) gives (bags.count, columns). `numbers` are the
/// rows of the bags, in the order of BagSteps.
OperationPointer sumBags(const Bags& bags, const std::vector<std::uint64_t>& numbers);

}  // namespace ipusim::workloads
