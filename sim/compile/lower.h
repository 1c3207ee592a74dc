// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/compile/executable.h"

namespace ipusim::compiler {

/// Turns every Execute and Copy of the graph's program into steps whose data is in place: what a
/// vertex reads from elsewhere lands in a message buffer before it, what it writes for elsewhere
/// leaves one after it, and a copy is part exchange, part copy vertices. A sync precedes every
/// exchange.
Lowered lower(const Graph& graph, std::uint32_t tiles);

}  // namespace ipusim::compiler
