// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/ops/placement/op_result.h"
#include "workloads/vertices/elementwise/dropout.h"

namespace ipusim::workloads {

/// Adds one compute set that drops elements of `in`, which has one dimension and consecutive
/// elements. The number of an element is its index. The result lies like `in`.
/// Source: graphcore/poplibs lib/poprand/RandomGen.cpp (MIT).
Tensor addDropout(Graph& graph, const DropoutRule& rule, const Tensor& in, const OpResult& result,
                  Program& program);

}  // namespace ipusim::workloads
