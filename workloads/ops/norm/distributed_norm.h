// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/ops/norm/norm.h"

namespace ipusim::workloads {

/// Adds the steps of a layer norm of a matrix, (samples, field), where it lies: DistributedRows
/// must take it. The results lie like x. Statistics are as in NormSteps. Source: graphcore/poplibs
/// lib/popnn/GroupNorm.cpp, lib/poplin/Norms.cpp (MIT): a norm has no layout of its own.
NormResult addDistributedNorm(Graph& graph, const Architecture& machine,
                              const NormOperands& operands, double epsilon, const OpResult& result,
                              Program& program);

}  // namespace ipusim::workloads
