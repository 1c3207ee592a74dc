// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// The lines of a hand-written butterfly vertex: `lines` lines of `elements` consecutive elements.
/// There is one line per pair of inputs, or one per input when only one output of a pair is made.
struct ButterflyLines {
  ElementType type;
  std::uint64_t lines;
  std::uint64_t elements;
};

/// Tile cycles of a vertex for all workers W that makes both outputs of each pair:
///
///   11 + W (20 + l (10 + 6 ceil(n / V)))
///
/// The worker with the most work has l lines of n elements. It has whole lines; when there are
/// fewer lines than workers, each line is cut between floor(W / lines) of them. V is the number of
/// elements of a vector. A vector of both inputs takes four products and two sums; two loads and
/// two stores are in the same instructions. 10 slots are for the 2 x 2 twiddles, the addresses and
/// the loop.
///
/// The instructions are a count of this project: nobody has published such a vertex. 11 and 20 are
/// taken from the published estimates of elementwise vertices (graphcore/poplibs
/// lib/popops/popopsCycleEstimators.cpp).
/// Calibrated: no.
/// Valid for: half and float.
Cycles butterflyPairCycles(const Architecture& machine, const ButterflyLines& lines);

/// Tile cycles of a vertex that makes one output of each pair, whose inputs are on two tiles:
///
///   11 + W (20 + l (8 + 3 ceil(n / V)))
Cycles butterflyHalfCycles(const Architecture& machine, const ButterflyLines& lines);

}  // namespace ipusim::models
