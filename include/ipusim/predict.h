// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/graph.h"
#include "ipusim/machine.h"
#include "ipusim/observer.h"
#include "ipusim/result.h"

namespace ipusim {

/// Compiles `graph` for `machine` and plays it: does it fit, how long does it take, and where do
/// bytes and cycles go. Both engines give the same cycles. `observer`, where there is one, is told
/// what happened when.
///
/// Throws what compile() throws. Engine::ClosedForm may be called from any thread, on different
/// graphs at the same time. Engine::SystemC must not: SystemC has one kernel in a process.
Result predict(const Graph& graph, const Machine& machine, Engine engine = Engine::ClosedForm,
               Observer* observer = nullptr);

}  // namespace ipusim
