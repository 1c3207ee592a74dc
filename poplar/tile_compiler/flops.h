// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "poplar/tile_compiler/function.h"

namespace ipusim::tile_compiler {

/// Floating-point operations of the aux lane: sums, differences, products, quotients, extremes,
/// roots and functions, one an element; a multiply-add is two. Comparisons, conversions and changes
/// of bits are none. Doubles are computed by a routine, and have none here.
unsigned flopsOf(const Operation& operation);

}  // namespace ipusim::tile_compiler
