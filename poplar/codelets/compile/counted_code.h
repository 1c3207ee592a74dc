// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "poplar/codelets/count/unit_code.h"
#include "poplar/codelets/module.h"

namespace ipusim::codelets {

/// Optimises the code of a unit as the tile's compiler does at `level` (`-O2`), with a counter in
/// each block. The module gets the blocks, and its vertices, which are there, their sizes on the
/// tile.
void countCode(UnitCode& code, const std::string& level, detail::Module& module);

}  // namespace ipusim::codelets
