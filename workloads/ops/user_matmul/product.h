// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/graph.h"

// Matrix products as a user writes them with vertices of their own: float, (m, k) x (k, n), the
// operands mapped anyhow.

namespace ipusim::workloads {

struct UserOperands {
  Tensor left;   ///< (m, k)
  Tensor right;  ///< (k, n)
};

/// One compute set: the result is cut into a grid of as many blocks as there are tiles, and each
/// tile gets all rows of the left and all columns of the right operand that its block needs. A
/// vertex makes a row of the block. Adds the steps to `program`; the result (m, n).
Tensor addNaiveProduct(Graph& graph, const Architecture& machine, const UserOperands& operands,
                       const std::string& name, Program& program);

/// The result in blocks of `block` x `block`, dealt out to the tiles in rounds. Each tile has one
/// set of temporaries: for every round and every `block` of the inner dimension, a block of either
/// operand is copied into them, one vertex multiplies, and another adds the product to the result.
/// `block` must divide m, k and n.
Tensor addBlockedProduct(Graph& graph, const Architecture& machine, const UserOperands& operands,
                         std::uint64_t block, Program& program);

}  // namespace ipusim::workloads
