// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "poplar/tile_compiler/function.h"

namespace ipusim::tile_compiler {

/// A call of a routine that computes with floats.
struct SoftCall {
  BlockId block = 0;
  std::uint32_t line = 0;
  unsigned flops = 0;
};

/// Rewrites a function as a supervisor runs it, which has neither a float unit nor `rpt`: floats
/// lie in the registers of whole numbers, each sum, product, comparison, conversion or function of
/// floats is a call for each element, and changes of a sign are bitwise. Returns the calls; the
/// slots of the routines themselves are not in the function. Doubles stay as they are.
std::vector<SoftCall> useSoftFloats(Function& function);

}  // namespace ipusim::tile_compiler
