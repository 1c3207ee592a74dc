// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/codelets/module.h"

namespace ipusim::codelets {

/// Optimises LLVM's code in the file `input` as the tile's compiler does at `level` (`-O2`), and
/// writes it to `output` with a counter in each block. The module gets the blocks, and the vertices
/// their sizes on the tile. False, and nothing done, where this build of ipusim has no LLVM, or
/// where the compiler that wrote the file is of another version.
bool countCode(const std::string& input, const std::string& output, const std::string& level,
               detail::Module& module);

}  // namespace ipusim::codelets
