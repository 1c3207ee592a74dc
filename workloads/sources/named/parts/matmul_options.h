// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/config_reader.h"
#include "workloads/ops/matmul/plan.h"
#include "workloads/sources/workload.h"

// The common part of the workloads that consist of matrix products: their keys and what they
// report.

namespace ipusim::workloads {

/// Reads the options of the vendor's matMul into a problem of size 1: `type` (default "float"),
/// `output_type` (default: as `type`), `partials_type` ("float"), `method` ("any"), `serial_splits`
/// ("allowed"), `available_memory_proportion` (0.6).
MatmulProblem readMatmulOptions(const ConfigReader& config);

PlanSummary summaryOf(const MatmulPlan& plan);

/// Peak of the chip's matrix engines at the problem's types.
double peakFlopsPerCycle(const Architecture& machine, const MatmulProblem& problem);

/// 2 groups m k n. Throws ConfigError when this is more than 1e18, at the largest size in `config`,
/// which is the table of the product.
Flops matmulFlops(const ConfigReader& config, const MatmulProblem& problem);

/// Throws ConfigError when operands and result have more elements than are worth laying out, some
/// hundred times what a chip holds. The error is at the largest size in `config`, which is the
/// table of the product.
void expectPlannable(const ConfigReader& config, const MatmulProblem& problem);

/// The largest |error|, divided by the largest |reference|, that a right product may have.
double matmulTolerance(const MatmulProblem& problem);

/// Computes `groups` products of row-major (m,k) and (k,n), which stand one after the other.
std::vector<double> multiplyReference(const MatmulProblem& problem, const std::vector<double>& left,
                                      const std::vector<double>& right);

}  // namespace ipusim::workloads
