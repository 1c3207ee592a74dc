// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// The loops of a vertex written in C++: scalar, one element at a time.
struct CompiledLoops {
  std::uint64_t elements;  ///< passes through the bodies of all innermost loops
  std::uint64_t loops;     ///< how often an innermost loop is entered
};

/// Issue slots of a compiled vertex on one worker:
///
///   slots = ceil(elements * per_element) + loops * per_loop
///
/// There is one code quality for all vertices that a compiler made: an element costs two loads, an
/// operation, the steps of two addresses, a store or a move, and a branch.
/// Source: the machine's preset.
/// Calibrated: see there.
/// Valid for: scalar loops over one or two arrays.
Cycles compiledCycles(const Architecture& machine, const CompiledLoops& loops);

}  // namespace ipusim::models
