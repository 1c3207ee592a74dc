// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/ops/sparse/layout.h"

namespace ipusim::workloads {

/// A planned sparse product in a graph: operands as the plan wants them, and the result.
struct SparseProduct {
  SparseLayout layout;
  Tensor values;  ///< one dimension, as the layout has them
  Tensor dense;
  Tensor result;
  Program program;  ///< from the operands to the result
};

/// Adds the operands, the compute set that multiplies, the stages that add up the parts of the
/// inner dimension, and a cast where the result has another type than a single partial. A tile is
/// brought the non-zeros of its part, and of its dense rows those that they meet, or all where that
/// takes fewer bytes.
SparseProduct addSparseProduct(Graph& graph, const Architecture& machine,
                               const SparseProblem& problem, const SparseSplits& splits,
                               const std::string& name);

}  // namespace ipusim::workloads
