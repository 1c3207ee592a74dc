// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/graph.h"

namespace ipusim::workloads {

/// Adds to `program` one compute set that adds `bias`, (n), to every row of `rows`, (m, n), in
/// place and where the rows lie. A tile has one vertex per box of elements that it holds. The
/// vertex repeats its part of the bias over rows or columns. When nothing is repeated it is a plain
/// addition.
/// Source: graphcore/poplibs lib/popops/ElementWise.cpp (MIT), broadcast patterns.
void addBias(Graph& graph, const Tensor& rows, const Tensor& bias, const std::string& name,
             Program& program);
/// The product in place of the sum.
void multiplyByRow(Graph& graph, const Tensor& rows, const Tensor& factors, const std::string& name,
                   Program& program);

}  // namespace ipusim::workloads
