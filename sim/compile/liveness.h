// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/compile/executable.h"

namespace ipusim::compiler {

/// Sets the live range of every block that does not live always, from the steps, control and
/// positions of `lowered`. A variable lives on all its tiles from its first write to its last read.
/// A variable that a Repeat reads before a step has written all of it carries a value from one
/// iteration to the next, and lives throughout the loop.
void setLiveRanges(Lowered& lowered);

}  // namespace ipusim::compiler
