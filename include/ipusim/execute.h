// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ipusim/graph.h"
#include "ipusim/machine.h"
#include "ipusim/reference.h"

namespace ipusim {

/// Compiles `graph` for `machine` and runs it with real numbers, in tile memories only. Before the
/// run the host writes the values of `host.inputs` (made-up ones where an input has none); returned
/// is what `host.outputs` hold after it, one entry per output, row-major. All must be variables
/// that live always.
///
/// Throws GraphError for a graph that nothing could run or that does not fit, and for a tensor that
/// the host cannot reach. May be called from any thread, on different graphs at the same time.
std::vector<TensorValues> execute(const Graph& graph, const Machine& machine,
                                  const HostTensors& host);

}  // namespace ipusim
