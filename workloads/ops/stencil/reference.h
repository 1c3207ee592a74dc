// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/reference.h"
#include "workloads/ops/stencil/stencil_grid.h"

namespace ipusim::workloads {

/// Steps of a stencil in doubles on one whole grid, without blocks. `first` and `second` are the
/// two grids as a HaloGrid has them. Step 1 reads the first grid and writes the second one, and so
/// on in turns. The result has the points of the grid that was written last, block by block.
TensorValues stencilSteps(const StencilGrid& grid, const Stencil& stencil, std::uint64_t steps,
                          const TensorValues& first, const TensorValues& second);

}  // namespace ipusim::workloads
