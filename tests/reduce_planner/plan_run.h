// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "workloads/ops/reduce/planner/stage_work.h"

// Runs plans of sums on whole numbers, as a lowering of the plan would: each tile has the elements
// that it holds, each stage reads what the last one left, and each vertex reads its parts.

namespace ipusim::workloads {

/// A matrix in the tiles' memories: the elements of each HeldRows, as they lie there.
struct HeldNumbers {
  std::vector<HeldRows> held;
  std::vector<std::vector<std::uint64_t>> elements;
  std::vector<std::uint64_t> sums;  ///< of each column, by a plain loop
};

/// Random numbers for what tiles hold of a matrix.
HeldNumbers randomNumbers(std::vector<HeldRows> held, std::mt19937_64& random);

/// What the tile's work makes of elements, one list for each pattern: one list of outputs for each
/// pattern. Expects that vertices read each element once and write each place once.
std::vector<std::vector<std::uint64_t>> runTileWork(
    const TileWork& work, const TileReduction& reduction,
    const std::vector<std::vector<std::uint64_t>>& elements);

/// The outputs of a plan, by column. Expects that each stage reads each partial once, and that each
/// column has one output.
std::vector<std::uint64_t> runPlan(const Architecture& machine, const ReduceProblem& problem,
                                   const ReducePlan& plan, const HeldNumbers& numbers);

}  // namespace ipusim::workloads
