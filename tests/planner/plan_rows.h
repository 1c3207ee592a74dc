// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/support/oracle_csv.h"
#include "workloads/ops/matmul/plan.h"

// Rows of the published plans.

namespace ipusim::workloads {

/// What the names of the files of plans begin with.
constexpr const char* kPlanFiles = "matmul_plan";

MatmulProblem problemOf(const tests::OracleRow& row);

/// False where the row's vertex is none of ours: a sliding-window convolution, or AMP with fewer in
/// channels than its pipeline is long, which pads a kernel around the product.
bool hasOurVertex(const tests::OracleRow& row);

/// The row's partition.
MatmulPartition partitionOf(const tests::OracleRow& row);

bool samePartition(const tests::OracleRow& row, const MatmulPlan& plan);

/// Expects every term of the row's step.
void expectTerms(const tests::OracleRow& row, const PlanTerms& terms);

/// One line a side: method, order, partition and cycles.
std::string described(const tests::OracleRow& row);
std::string described(const MatmulPlan& plan);

}  // namespace ipusim::workloads
