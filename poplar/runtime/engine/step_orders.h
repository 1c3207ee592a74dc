// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "poplar/runtime/saved/executable_data.h"
#include "sim/compile/lower/flow.h"

namespace poplar::detail {

/// In which orders the programs of `data`, whose ranges of steps are known, run these steps, and
/// which variables of the program's graph keep their memory: those that the host reaches between
/// runs, those with initial values, and those that decide, are printed or are written by the
/// machine itself. Programs whose calls come to too many steps give no orders: then every variable
/// keeps its memory.
ipusim::compiler::StepOrders stepOrders(const ExecutableData& data,
                                        const std::vector<const ProgramData*>& steps);

}  // namespace poplar::detail
