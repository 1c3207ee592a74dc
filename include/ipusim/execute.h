// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ipusim/graph.h"
#include "ipusim/machine.h"
#include "ipusim/reference.h"

namespace ipusim {

/// Compiles `graph` for `machine` and runs it with real numbers, which exist in the simulated tile
/// memories and remote buffers only. Before the run the host writes the values of
/// `host.inputs` and `host.input_rows`; an input without values gets made-up ones. Returns the
/// values of `host.outputs` and then those of `host.output_rows` after the run: one entry per
/// output, row-major. Tensors that are inputs or outputs must be variables that live always.
///
/// Throws GraphError for a graph that no machine could run or that does not fit, for a tensor that
/// the host cannot reach, and for a row that is not there or was never written. May be called from
/// any thread, on different graphs at the same time.
std::vector<TensorValues> execute(const Graph& graph, const Machine& machine,
                                  const HostTensors& host);

}  // namespace ipusim
