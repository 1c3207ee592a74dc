// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ipusim/graph.h"
#include "workloads/ops/stencil/stencil_grid.h"

namespace ipusim::workloads {

/// The blocks of a grid in tile memory, each with a halo. Halos on the border of the grid keep what
/// the host writes: the boundary values. Where two blocks have one boundary value, each reads its
/// own.
struct HaloGrid {
  Tensor all;                  ///< all blocks, one after the other
  std::vector<Tensor> blocks;  ///< each with its halo, and the numbers of a point last
};

/// Adds the variable of a grid and maps each block to its tile.
HaloGrid addHaloGrid(Graph& graph, const StencilGrid& grid, const Stencil& stencil,
                     const std::string& name);

/// The points of the blocks without their halos, block by block.
Tensor innerPoints(const HaloGrid& grid, std::uint64_t radius);

/// Adds the step that fills the halos from the neighbouring blocks: the faces, and for a box also
/// the edges and corners. Blocks of different IPUs exchange through buffers, into which the sender
/// gathers its points and from which the receiver spreads them.
Program exchangeHalos(Graph& graph, const StencilGrid& grid, const HaloGrid& data,
                      const Stencil& stencil);

/// Adds the compute set of one step of the stencil, from one grid to another. `workers` are the
/// parts that the workers of a tile have in each dimension; empty: those of bestWorkerGrid(), among
/// `tile_workers`.
struct StencilStep {
  const HaloGrid& from;
  const HaloGrid& to;
  GridSizes workers;
  std::uint64_t tile_workers;
};
Program computeStep(Graph& graph, const StencilGrid& grid, const Stencil& stencil,
                    const StencilStep& step, const std::string& name);

}  // namespace ipusim::workloads
