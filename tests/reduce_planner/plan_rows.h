// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "tests/support/oracle_csv.h"
#include "workloads/ops/reduce/planner/plan.h"

// Rows of the published plans of reductions.

namespace ipusim::workloads {

/// The file of plans.
constexpr const char* kReducePlanFile = "reduce_plan.csv";

/// The row's matrix, as its layout has it on the tiles:
///  - outer: the rows follow each other, mapped linearly;
///  - inner: the columns follow each other, mapped linearly;
///  - stacked: each row on tiles of its own, or one row after the other on all tiles when there are
///    more rows than tiles.
ReduceProblem reduceProblemOf(const Architecture& machine, const tests::OracleRow& row);

/// The cells that the row must have, by column. `sync` is zero for all columns but the last one.
std::map<std::string, std::string> plannedCells(const Architecture& machine,
                                                const tests::OracleRow& row);

}  // namespace ipusim::workloads
