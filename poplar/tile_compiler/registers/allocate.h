// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <vector>

#include "poplar/tile_compiler/instruction.h"

namespace ipusim::tile_compiler {

/// The real register of each virtual one; of a pair, the even one.
using Assignment = std::vector<PhysicalId>;

/// What an attempt to assign registers came to: all have a place, or some live on the stack.
struct Attempt {
  Assignment places;
  std::set<RegisterId> spilled;
};

/// One attempt. Registers that live in several blocks come first, the longest first; then those of
/// a block in the order of the code. Each takes the first free register of those that would save a
/// move, else of all; when none is free, the cheapest of its rivals goes to the stack.
/// Registers whose Spilling is Never stay.
Attempt tryAssign(const MachineFunction& function);

/// Replaces registers by loads and stores of the stack around their uses; constants are made again.
void spill(MachineFunction& function, const std::set<RegisterId>& registers);

/// Puts the real registers into the instructions, with the moves that parameters, arguments and
/// results need.
void placeRegisters(MachineFunction& function, const Assignment& places);

/// All of the above, until every register has a place.
void allocateRegisters(MachineFunction& function);

/// True for registers that a call may change.
bool isCallerSaved(PhysicalId place);

}  // namespace ipusim::tile_compiler
