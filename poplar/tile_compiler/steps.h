// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "poplar/tile_compiler/uses.h"

namespace ipusim::tile_compiler {

/// The pointers whose constant step an access can take over. The access has no offset and the last
/// look at the old pointer, or the others look at it by a constant offset before. Source: the tests
/// of ld*step and st*step in llvm/test/CodeGen/Colossus (machine_facts.h, [T]).
std::vector<Step> findPointerSteps(const Function& function, const Uses& uses);

}  // namespace ipusim::tile_compiler
