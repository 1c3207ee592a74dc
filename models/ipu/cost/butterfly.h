// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// What a hand-written butterfly vertex works on: `lines` lines of `elements` consecutive elements,
/// a line for each pair of inputs (or for each input, where only one output of a pair is made).
struct ButterflyLines {
  ElementType type;
  std::uint64_t lines;
  std::uint64_t elements;
};

/// Tile cycles of a vertex for all workers W that makes both outputs of each pair:
///
///   11 + W (20 + l (10 + 6 ceil(n / V)))
///
/// l lines of n elements for the worker with the most: whole lines, or where there are fewer lines
/// than workers, each line cut between floor(W / lines) of them. V: elements of a vector. A vector
/// of both inputs takes four products and two sums; two loads and two stores are in the same
/// instructions. 10: the 2 x 2 twiddles, addresses and the loop.
///
/// Our own count of instructions: nobody has published such a vertex. 11 and 20 are what the
/// published estimates of elementwise vertices have (graphcore/poplibs
/// lib/popops/popopsCycleEstimators.cpp). Calibrated: no. Valid for: half and float.
Cycles butterflyPairCycles(const Architecture& machine, const ButterflyLines& lines);

/// The same of a vertex that makes one output of each pair, of inputs on two tiles:
///
///   11 + W (20 + l (8 + 3 ceil(n / V)))
Cycles butterflyHalfCycles(const Architecture& machine, const ButterflyLines& lines);

}  // namespace ipusim::models
