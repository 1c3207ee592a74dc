// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/compile/executable.h"
#include "sim/compile/flow.h"

namespace ipusim::compiler {

/// Sets the positions of `lowered`, and the live range of every block that does not live always. A
/// variable lives on all its tiles from its first write to its last read. A variable that a Repeat
/// reads before a step has written all of it carries a value from one iteration to the next, and
/// lives throughout the loop. What a step does that may not run at all neither ends a range nor
/// begins one.
void setLiveRanges(FlowPositions positions, Lowered& lowered);

}  // namespace ipusim::compiler
