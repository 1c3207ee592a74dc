// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/support/oracle_csv.h"
#include "workloads/ops/matmul/plan.h"

// Rows of the published plans of products.

namespace ipusim::workloads {

/// The prefix of the names of files with plans.
constexpr const char* kProductPlanFiles = "matmul_plan";

/// The row's product, to be planned with all that the published planner considers.
MatmulProblem problemOf(const tests::OracleRow& row);

/// True when the row's plan has this vertex with these grains. Throws for an unknown method.
bool sameVertex(const tests::OracleRow& row, const ConvVertex& vertex);

/// The row's partition. Throws when it splits what a product does not have.
ConvPartition productPartitionOf(const tests::OracleRow& row);

bool samePartition(const tests::OracleRow& row, const MatmulPlan& plan);

/// Expects every term of the row's step.
void expectProductTerms(const tests::OracleRow& row, const ConvTerms& terms);

/// One line per side: method, order, partition and cycles.
std::string describedPlan(const tests::OracleRow& row);
std::string describedPlan(const MatmulPlan& plan);

}  // namespace ipusim::workloads
