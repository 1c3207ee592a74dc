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
struct TransposedBlock {
  const Tensor& source;  ///< in the shape of the block
  Tensor storage;        ///< one dimension
  Tensor arrived;        ///< as `storage`
  const std::vector<TileId>& tiles;
};

/// Maps the block, and adds what fills it by transposes of `rows` rows each.
void addTransposed(Graph& graph, const TransposedBlock& block, std::uint64_t rows,
                   Arrivals& arrivals);

/// What tiles that hold a block together never cut: rows; or units, which are all rows of the
/// innermost dimension that has several. The library cuts inputs by rows, though there units are
/// taken when there are many, and weights by units of in and out channels.
/// Source: graphcore/poplibs lib/poplin/Convolution.cpp (MIT), mapActivationsOrWeights.
enum class ShareGrain : std::uint8_t { Rows, Units };

/// A block, and the tiles that share it.
struct SharedBlock {
  const Shape& shape;
  const std::vector<TileId>& tiles;
  ShareGrain grain;
};

/// Spreads a block over its tiles. `storage` has one dimension.
void mapShares(Graph& graph, const Tensor& storage, const SharedBlock& block);

/// Maps what arrives of a block that is mapped by mapShares, and adds what fills it by transposes
/// of the rows that each tile holds.
void addTransposedShares(Graph& graph, const TransposedBlock& block, ShareGrain grain,
                         Arrivals& arrivals);

}  // namespace ipusim::workloads
