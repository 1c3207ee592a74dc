// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/ops/conv/arrivals.h"
#include "workloads/ops/conv/block_grid.h"

namespace ipusim::workloads {

/// How many elements of another dimension follow one another where an operand comes from. The
/// operand's own rows are then transposed on the tiles: `rows` of its rows at a time. 1: rows are
/// consecutive already, or nothing is.
///
/// The library brings an operand in the grouping that it has, and regroups it on the tiles:
/// elements of two bytes would else travel one by one, each with an instruction at both ends.
/// Source: graphcore/poplibs lib/poplin/ConvTransforms.cpp, lib/popops/Rearrange.cpp (MIT).
std::uint64_t rowsToTurn(const std::vector<Tensor>& parts);

/// A block of an operand, the tiles that share it, and the memory for it as it arrives.
struct TurnedBlock {
  const Tensor& source;  ///< in the shape of the block
  Tensor storage;        ///< one dimension
  Tensor arrived;        ///< as `storage`
  const std::vector<TileId>& tiles;
};

/// Maps the block, and adds what fills it by transposes of `rows` rows each.
void addTurned(Graph& graph, const TurnedBlock& block, std::uint64_t rows, Arrivals& arrivals);

/// Spreads a block over its tiles in rows, or in units of all rows of the innermost dimension that
/// has several, when there are many. `storage` has one dimension.
void mapShares(Graph& graph, const Tensor& storage, const Shape& block,
               const std::vector<TileId>& tiles);

/// Maps what arrives of a block that is mapped by mapShares, and adds what fills it by transposes
/// of the rows that each tile holds.
void addTurnedShares(Graph& graph, const TurnedBlock& block, Arrivals& arrivals);

}  // namespace ipusim::workloads
