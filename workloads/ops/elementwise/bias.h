// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/graph.h"

namespace ipusim::workloads {

/// Adds to `program` one compute set that adds `bias`, (n), to every row of `rows`, (m, n), in
/// place and where they lie. A tile has a vertex for each box of elements it holds: one that
/// repeats its part of the bias over rows or columns; where nothing is repeated a plain addition.
/// Source: graphcore/poplibs lib/popops/ElementWise.cpp (MIT), broadcast patterns.
void addBias(Graph& graph, const Tensor& rows, const Tensor& bias, const std::string& name,
             Program& program);

}  // namespace ipusim::workloads
