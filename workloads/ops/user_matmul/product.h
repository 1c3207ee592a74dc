// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/graph.h"

// Matrix products as a user writes them with their own vertices: float, (m, k) x (k, n). The
// operands may have any mapping.

namespace ipusim::workloads {

struct UserOperands {
  Tensor left;   ///< (m, k)
  Tensor right;  ///< (k, n)
};

/// Adds a product with one compute set to `program`. The result is cut into a grid of as many
/// blocks as there are tiles. Each tile gets all rows of the left and all columns of the right
/// operand that its block needs. A vertex computes one row of the block. Returns the result, (m,
/// n).
Tensor addNaiveProduct(Graph& graph, const Architecture& machine, const UserOperands& operands,
                       const std::string& name, Program& program);

/// Adds a product in blocks of `block` x `block`, which are dealt out to the tiles in rounds. Each
/// tile has one set of temporaries. For every round and every `block` of the inner dimension, a
/// block of each operand is copied into them, one vertex multiplies, and another adds the product
/// to the result. `block` must divide m, k and n.
Tensor addBlockedProduct(Graph& graph, const Architecture& machine, const UserOperands& operands,
                         std::uint64_t block, Program& program);

}  // namespace ipusim::workloads
