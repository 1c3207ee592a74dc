// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/element_type.h"
#include "ipusim/graph.h"
#include "tests/execute/plain_tensor.h"
#include "tests/execute/random_source.h"

namespace ipusim::checker {

/// The same elements twice: as a view, and as a plain list.
struct TwinTensor {
  Tensor view;
  PlainTensor plain;
};

/// Sizes whose product is `elements`, one to four of them.
Shape randomShape(RandomSource& random, std::uint64_t elements);

/// A variable of `elements` elements that lives always, cut into runs of any length on any tile.
TwinTensor randomVariable(RandomSource& random, Graph& graph, ElementType type,
                          std::uint64_t elements);

/// Runs of any length of a variable's elements, each on any tile.
void mapAtRandom(RandomSource& random, Graph& graph, const Tensor& variable);

/// Some views one on the other that keep every element once: reshapes, shuffles, rotations.
TwinTensor rearranged(RandomSource& random, TwinTensor tensor);

/// Some views one on the other, any of them: slices, broadcasts and repetitions too.
TwinTensor anyView(RandomSource& random, TwinTensor tensor);

}  // namespace ipusim::checker
