// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/parallel/redistribution/collective.h"

namespace ipusim::parallel {

/// The plan that follows from gather-and-slice by rewriting two neighbours at a time, without any
/// search. A gather with a slice of the same axis becomes nothing, an all-to-all or, with another
/// axis of the same size, a permutation. Slices move to the front and gathers to the back, past
/// permutations that put the axes in order. The end is slices, then steps that keep the size, then
/// gathers: no device ever holds more than the larger of the two types asks for. The plan may be
/// longer than findPlan()'s. Source: arXiv 2112.01075.
Plan rewrittenPlan(const ArrayType& source, const ArrayType& target, const Mesh& mesh);

}  // namespace ipusim::parallel
