// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/graph.h"
#include "ipusim/machine.h"
#include "ipusim/observer.h"
#include "ipusim/result.h"

namespace ipusim {

/// Compiles `graph` for `machine` and plays it. The result says whether the graph fits, how long it
/// takes, and where bytes and cycles go. Both engines give the same cycles. `observer` hears what
/// happens when; it may be null.
///
/// Throws what compile() throws. Engine::ClosedForm may be called from any thread, on different
/// graphs at the same time. Engine::SystemC may not: SystemC has one kernel per process.
Result predict(const Graph& graph, const Machine& machine, Engine engine = Engine::ClosedForm,
               Observer* observer = nullptr);

}  // namespace ipusim
