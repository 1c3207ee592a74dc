// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/compile/placement.h"

namespace ipusim::compiler {

/// Steps in the order the program runs them, and the loops around them.
struct LoweredProgram {
  std::vector<Step> steps;
  std::vector<Control> control;
};

/// Turns every Execute and Copy of the graph's program into steps whose data is in place: what a
/// vertex reads from elsewhere lands in a message buffer before it, what it writes for elsewhere
/// leaves one after it, and a copy is part exchange, part copy vertices. A sync precedes every
/// exchange. Buffers are added to `placement`.
LoweredProgram lower(const Graph& graph, const Machine& machine, Placement& placement);

}  // namespace ipusim::compiler
