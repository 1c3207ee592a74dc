// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ipusim/graph.h"
#include "ipusim/machine.h"
#include "ipusim/reference.h"

namespace ipusim {

/// Compiles `graph` for `machine` and runs it with real numbers, which exist in the simulated tile
/// memories only. Before the run the host writes the values of `host.inputs`; an input without
/// values gets made-up ones. Returns the values of `host.outputs` after the run: one entry per
/// output, row-major. Inputs and outputs must be variables that live always.
///
/// Throws GraphError for a graph that no machine could run or that does not fit, and for a tensor
/// that the host cannot reach. May be called from any thread, on different graphs at the same time.
std::vector<TensorValues> execute(const Graph& graph, const Machine& machine,
                                  const HostTensors& host);

}  // namespace ipusim
