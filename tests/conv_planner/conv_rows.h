// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/machine.h"
#include "tests/support/oracle_csv.h"
#include "workloads/ops/conv/planner/plan.h"
#include "workloads/ops/conv/planner/share.h"

// Rows of the published convolution plans.

namespace ipusim::workloads {

/// The prefix of the names of files with plans.
constexpr const char* kConvPlanFiles = "conv_plan";

/// The machine of a row, with as many tiles as the row says.
Machine machineOf(const tests::OracleRow& row);

/// The layer that a row asks for, in its forward pass.
ConvParams layerOf(const tests::OracleRow& row);

/// The row's convolution, in its own pass.
ConvProblem convProblemOf(const tests::OracleRow& row);

/// The canonical convolution of the row.
ConvParams publishedParamsOf(const tests::OracleRow& row);

ConvTransforms transformsOf(const tests::OracleRow& row);
ConvVertex vertexOf(const tests::OracleRow& row);
ConvPoint pointOf(const tests::OracleRow& row);

/// Expects every term of the row's step, and all byte counts.
void expectTerms(const tests::OracleRow& row, const ConvTerms& terms);

/// One line: transforms, vertex, partition, cycles and bytes.
std::string described(const tests::OracleRow& row);
std::string described(const ConvPlan& plan);

}  // namespace ipusim::workloads
