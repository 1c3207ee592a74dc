// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config_reader.h"
#include "workloads/ops/matmul/plan.h"
#include "workloads/sources/workload.h"

// What the workloads made of matrix products have in common: their keys and what they report.

namespace ipusim::workloads {

/// A problem of size 1 with the options of the vendor's matMul: `type` (default "float"),
/// `output_type` (as `type`), `partials_type` ("float"), `method` ("any"), `serial_splits`
/// ("allowed"), `available_memory_proportion` (0.6).
MatmulProblem readMatmulOptions(const ConfigReader& config);

PlanSummary summaryOf(const MatmulPlan& plan);

/// Peak of the chip's matrix engines at the problem's types.
double peakFlopsPerCycle(const Architecture& machine, const MatmulProblem& problem);

/// 2 groups m k n. Throws ConfigError at the largest size in `config`, the table that names the
/// product, where that is more than 1e18.
Flops matmulFlops(const ConfigReader& config, const MatmulProblem& problem);

/// Throws ConfigError at the largest size in `config`, the table that names the product, where
/// operands and result have more elements than are worth laying out: some hundred times what a chip
/// holds.
void expectPlannable(const ConfigReader& config, const MatmulProblem& problem);

/// Largest |error| over largest |reference| that a right product may have.
double matmulTolerance(const MatmulProblem& problem);

/// `groups` products of row-major (m,k) and (k,n), one after the other.
std::vector<double> multiplyReference(const MatmulProblem& problem, const std::vector<double>& left,
                                      const std::vector<double>& right);

}  // namespace ipusim::workloads
