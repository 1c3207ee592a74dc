// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/support/oracle_csv.h"
#include "workloads/ops/matmul/plan.h"

// Rows of the published plans.

namespace ipusim::workloads {

/// What the names of the files of plans begin with.
constexpr const char* kPlanFiles = "matmul_plan";

/// The row's product, to be planned with all that the published planner weighs.
MatmulProblem problemOf(const tests::OracleRow& row);

/// Whether the row's plan has this vertex with these grains. Throws for a method nobody knows.
bool sameVertex(const tests::OracleRow& row, const VertexMethod& method);

/// The row's partition. Throws where it splits what a product does not have.
MatmulPartition partitionOf(const tests::OracleRow& row);

bool samePartition(const tests::OracleRow& row, const MatmulPlan& plan);

/// Expects every term of the row's step.
void expectTerms(const tests::OracleRow& row, const PlanTerms& terms);

/// One line a side: method, order, partition and cycles.
std::string described(const tests::OracleRow& row);
std::string described(const MatmulPlan& plan);

}  // namespace ipusim::workloads
