// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "poplar/tile_compiler/function.h"

namespace ipusim::tile_compiler {

/// True for operations that are there for more than their result.
bool actsOnItsOwn(const Operation& operation);

/// Removes the operations whose result nothing needs, rings of phis among them.
void removeDeadCode(Function& function);

}  // namespace ipusim::tile_compiler
