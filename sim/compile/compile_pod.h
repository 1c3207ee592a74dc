// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/timing_mode.h"
#include "sim/compile/executable.h"
#include "sim/compile/tile_programs.h"

namespace ipusim::compiler {

/// Compiles the lowered program of a graph on several IPUs. Each IPU gets a program of its own: its
/// exchanges are scheduled on its own fabric, and its tiles are numbered from 0. IPUs with equal
/// programs share one. Throws ConfigError where the system has no way for a message.
Executable compiledForPod(Lowered lowered, const Pod& pod, TimingMode timing,
                          WithoutCost without_cost = WithoutCost::Refused);

}  // namespace ipusim::compiler
