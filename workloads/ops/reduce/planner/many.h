// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ipusim/machine.h"
#include "models/ipu/cost/reductions/reduce.h"

// Several reductions that are planned together.
// Source: graphcore/poplibs lib/popops/reduction/Reduction.cpp, commit 7eac0f26 (MIT), reduceMany.

namespace ipusim::workloads {

/// What must be equal for reductions to become one. Reductions with a scale have equal scales if
/// they have the same number here.
struct ConcatenationKey {
  models::ReduceOp op;
  models::ReduceInto into;
  ElementType input;
  ElementType output;
  std::uint64_t rows;
  std::size_t scale = 0;
};

/// Reductions that become one with all their columns side by side, by their numbers. The groups are
/// in the order of their first reductions. Different groups share the compute sets, stage by stage.
std::vector<std::vector<std::size_t>> concatenated(const std::vector<ConcatenationKey>& reductions);

/// The workers for whom a tile cuts the columns of a reduction that is `merged` of `total`
/// reductions: ceil(workers merged / total), and two when there are more reductions than workers.
std::uint64_t workerQuota(const TileCore& core, std::uint64_t merged, std::uint64_t total);

}  // namespace ipusim::workloads
