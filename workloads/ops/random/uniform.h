// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/graph.h"
#include "workloads/ops/placement/op_result.h"
#include "workloads/vertices/elementwise/uniform.h"

namespace ipusim::workloads {

/// Adds one compute set that draws a float from 0 to below 1 for each element of `like`, which has
/// one dimension and consecutive elements. The numbers lie like it.
Tensor addUniform(Graph& graph, const UniformRule& rule, const Tensor& like, const OpResult& result,
                  Program& program);

}  // namespace ipusim::workloads
