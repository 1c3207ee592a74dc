// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/compile/executable.h"

namespace ipusim::compiler {

/// Sets the live range of every block that does not live always, from `lowered`'s steps, control
/// and positions. A variable lives on all its tiles from its first write to its last read. Inside a
/// Repeat a variable that is read before a step has written all of it carries a value from one
/// iteration to the next, and lives throughout the loop.
void setLiveRanges(Lowered& lowered);

}  // namespace ipusim::compiler
