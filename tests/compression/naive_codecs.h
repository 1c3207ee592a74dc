// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/networks/compression/dct_chop.h"

// What codecs leave of a tensor, by their definitions: loops that share no matrix and no step with
// the codecs.

namespace ipusim::workloads {

/// Planes without the frequencies that are chopped, as sums over each block.
TensorValues choppedPlanes(const DctChop& rule, const Shape& shape, TensorValues values);

/// The nearest of the levels of `bits` in each run of `block` elements; 0: in all elements.
TensorValues nearestLevels(std::uint64_t bits, std::uint64_t block, TensorValues values);

/// The nearest of all 8-bit floats, which are tried one after the other, under the scale of a
/// tensor of floats.
TensorValues nearestQuarters(TensorValues values);

/// Numbers are rounded to floats first.
TensorValues nearestHalves(TensorValues values);

/// The projection of rows of `size` elements on `rank` random vectors, by their normal equations.
TensorValues projectedRows(const LowRankSketch& sketch, std::uint64_t size, TensorValues values);

}  // namespace ipusim::workloads
