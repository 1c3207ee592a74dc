// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/compile/executable.h"
#include "sim/compile/lower/flow.h"

namespace ipusim::compiler {

/// Sets the positions of `lowered`, and the live range of every block that does not live always. A
/// variable lives on all its tiles from its first write to its last read; where a WriteUndef says
/// that it holds nothing, the next use begins a new life. A variable that a Repeat
/// reads before a step has written all of it carries a value from one iteration to the next, and
/// lives throughout the loop. What a step does that may not run at all neither ends a range nor
/// begins one.
void setLiveRanges(FlowPositions positions, Lowered& lowered);

/// Does that for programs that run in any order, any number of times. Host copies are uses of the
/// variables that they move. A variable that a program may read before it has written all of it has
/// a value from the load or from another run, and lives always. Without programs the ranges stay
/// as they are.
void setLiveRanges(const StepOrders& orders, Lowered& lowered);

}  // namespace ipusim::compiler
