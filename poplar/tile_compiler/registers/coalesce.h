// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "poplar/tile_compiler/instruction.h"

namespace ipusim::tile_compiler {

/// Makes one register of both sides of each copy where their lives allow it, and removes the copy.
/// An instruction whose result must be in the register of its first operand gets a copy first.
void coalesceCopies(MachineFunction& function);

}  // namespace ipusim::tile_compiler
