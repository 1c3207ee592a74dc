// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/support/oracle_csv.h"
#include "workloads/ops/matmul/plan.h"

// Rows of the published plans.

namespace ipusim::workloads {

MatmulProblem problemOf(const tests::OracleRow& row);

/// False where the row's vertex is none of ours: a sliding-window convolution, or AMP with fewer in
/// channels than its pipeline is long, which pads a kernel around the product.
bool hasOurVertex(const tests::OracleRow& row);

/// The row's partition.
MatmulPartition partitionOf(const tests::OracleRow& row);

bool samePartition(const tests::OracleRow& row, const MatmulPlan& plan);

/// One line a side: method, order, partition and cycles.
std::string described(const tests::OracleRow& row);
std::string described(const MatmulPlan& plan);

}  // namespace ipusim::workloads
