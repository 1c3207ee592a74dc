// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/result.h"
#include "sim/compile/executable.h"

namespace ipusim::run {

/// Fills in the activity of a result whose steps, tiles and time are there. What vertices do
/// follows from their types, and what travels from the messages: no engine takes part.
void addActivity(const compiler::Executable& executable, Result& result);

}  // namespace ipusim::run
