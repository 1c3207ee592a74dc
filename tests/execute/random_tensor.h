// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/element_type.h"
#include "ipusim/graph.h"
#include "tests/execute/plain_tensor.h"
#include "tests/execute/random_source.h"

namespace ipusim::executor {

/// Equal elements in two forms: as a view, and as a plain list.
struct TwinTensor {
  Tensor view;
  PlainTensor plain;
};

/// One to four sizes whose product is `elements`.
Shape randomShape(RandomSource& random, std::uint64_t elements);

/// A variable of `elements` elements that lives always, cut into random runs on random tiles.
TwinTensor randomVariable(RandomSource& random, Graph& graph, ElementType type,
                          std::uint64_t elements);

/// Maps random runs of a variable's elements to random tiles.
void mapAtRandom(RandomSource& random, Graph& graph, const Tensor& variable);

/// Applies some random views that keep every element once: reshapes, shuffles, rotations.
TwinTensor rearranged(RandomSource& random, TwinTensor tensor);

/// Applies some random views of any kind, slices, broadcasts and repetitions included.
TwinTensor anyView(RandomSource& random, TwinTensor tensor);

}  // namespace ipusim::executor
