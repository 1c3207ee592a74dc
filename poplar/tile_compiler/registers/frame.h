// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "poplar/tile_compiler/instruction.h"
#include "poplar/tile_compiler/tile_compiler.h"

namespace ipusim::tile_compiler {

/// Adds what a function does at its start and before each return: moves the stack, checks its
/// limit, saves the link when it calls and the registers that are its callers'. A vertex's entry
/// only sets the stack. Returns the bytes of the frame.
std::uint64_t addFrame(MachineFunction& function, const TileCompiler& compiler);

}  // namespace ipusim::tile_compiler
