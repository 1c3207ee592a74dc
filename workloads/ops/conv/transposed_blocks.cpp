// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/transposed_blocks.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace ipusim::workloads {

namespace {

/// Rows that are transposed together at most: the input channels of a group, 16 for an AMP vertex
/// of halves. Source: graphcore/poplibs lib/poplin/ConvPlan.cpp (MIT).
constexpr std::uint64_t kMostRows = 16;
/// The vertices that transpose take blocks of 4 x 4 elements: fewer rows would be copied one by
/// one.
constexpr std::uint64_t kFewestRows = 4;

// From this number of units per tile on, shares of whole units differ little enough.
constexpr std::uint64_t kUnitsToShareWhole = 8;

/// The innermost dimension of a block before its rows that has more than one element.
std::size_t dimBeforeRows(const Shape& block) {
  std::size_t dim = block.size() - 1;
  while (dim > 0 && block[dim - 1] == 1) --dim;
  return dim == 0 ? 0 : dim - 1;
}

/// True when most elements of an operand come with elements of another dimension that follow one
/// another.
bool comesAcross(const std::vector<Tensor>& parts) {
  std::uint64_t all = 0;
  std::uint64_t transposed = 0;
  for (const Tensor& part : parts) {
    if (part.elements() == 0) continue;
    const std::size_t dim = dimBeforeRows(part.shape());
    for (const Tensor::Piece& piece : part.pieces()) {
      if (Arrivals::isPadding(piece)) continue;
      const std::uint64_t elements = std::accumulate(piece.extent.begin(), piece.extent.end(),
                                                     std::uint64_t{1}, std::multiplies<>());
      const bool in_rows = piece.stride.back() == 1 && piece.extent.back() > 1;
      const bool across = piece.stride[dim] == 1 && piece.extent[dim] >= kFewestRows;
      all += elements;
      if (across && !in_rows) transposed += elements;
    }
  }
  // A transposition moves each element once more, whichever way it came. It pays where most
  // elements would otherwise come one by one; a majority is our own rule, and no cost is compared.
  return 2 * transposed > all;
}

}  // namespace

std::uint64_t rowsToTurn(const std::vector<Tensor>& parts) {
  const std::size_t dim = dimBeforeRows(parts.front().shape());
  std::uint64_t rows = kMostRows;
  for (const Tensor& part : parts) {
    if (part.elements() == 0) continue;
    if (dimBeforeRows(part.shape()) != dim) return 1;
    rows = std::gcd(rows, part.shape()[dim]);
  }
  return rows >= kFewestRows && comesAcross(parts) ? rows : 1;
}

void addTransposed(Graph& graph, const TransposedBlock& block, std::uint64_t rows,
                   Arrivals& arrivals) {
  const std::uint64_t row = block.source.shape().back();
  const std::uint64_t each = rows * row;
  const std::uint64_t matrices = block.source.elements() / each;
  const Tensor source = block.source.reshape({matrices, rows, row});
  const std::vector<Range> shares = evenRanges(matrices, block.tiles.size());
  for (std::size_t t = 0; t < shares.size(); ++t) {
    const Range& share = shares[t];
    if (share.size() == 0) continue;
    const TileMatrices own{block.tiles[t], share.size(), row, rows};
    const Tensor to = block.storage.slice(share.begin * each, share.end * each, 0);
    const Tensor arrived = block.arrived.slice(share.begin * each, share.end * each, 0);
    graph.setTileMapping(to, own.tile);
    graph.setTileMapping(arrived, own.tile);
    arrivals.addTransposed(source.slice(share.begin, share.end, 0), {own, arrived, to});
  }
}

namespace {

/// Rows [first_row, first_row + rows) of each of `units` units from `unit` on, on one tile. A unit
/// is all rows of the innermost dimension of a block that has several.
struct BlockShare {
  TileId tile;
  std::uint64_t unit;
  std::uint64_t units;
  std::uint64_t first_row;
  std::uint64_t rows;
};

/// The rows that each tile holds of a block of this shape, tile by tile: whole units when there are
/// many.
std::vector<BlockShare> sharesOf(const SharedBlock& of) {
  const auto& [block, tiles, grain] = of;
  const std::uint64_t unit_rows = block[dimBeforeRows(block)];
  const std::uint64_t all_rows = elementsOf(block) / block.back();
  const bool whole =
      grain == ShareGrain::Units || all_rows / unit_rows >= kUnitsToShareWhole * tiles.size();
  std::vector<BlockShare> shares;
  const std::vector<Range> ranges = evenRanges(all_rows, tiles.size(), whole ? unit_rows : 1);
  for (std::size_t t = 0; t < ranges.size(); ++t) {
    for (std::uint64_t row = ranges[t].begin; row < ranges[t].end;) {
      const std::uint64_t left = ranges[t].end - row;
      const std::uint64_t first = row % unit_rows;
      const std::uint64_t units = first == 0 ? left / unit_rows : 0;
      const std::uint64_t rows = units > 0 ? unit_rows : std::min(left, unit_rows - first);
      shares.push_back({tiles[t], row / unit_rows, std::max<std::uint64_t>(1, units), first, rows});
      row += shares.back().units * rows;
    }
  }
  return shares;
}

/// The share, or parts of it of which all but one are in whole blocks of the vertices that
/// transpose: they move single elements of other numbers of rows. The library regroups by whole
/// groups. Source: graphcore/poplibs lib/popops/Rearrange.cpp (MIT), regroupTensor.
std::vector<BlockShare> inBlocksOfRows(const BlockShare& share) {
  const std::uint64_t rest = share.rows % kFewestRows;
  if (rest == 0 || share.rows < kFewestRows) return {share};
  std::vector<BlockShare> parts;
  for (std::uint64_t u = 0; u < share.units; ++u) {
    const std::uint64_t whole = share.rows - rest;
    parts.push_back({share.tile, share.unit + u, 1, share.first_row, whole});
    parts.push_back({share.tile, share.unit + u, 1, share.first_row + whole, rest});
  }
  return parts;
}

/// The share's elements in the block's memory, which has one dimension.
Tensor elementsOfShare(const Tensor& storage, const Shape& block, const BlockShare& share) {
  const std::uint64_t first = share.unit * block[dimBeforeRows(block)] + share.first_row;
  return storage.slice(first * block.back(), (first + share.units * share.rows) * block.back(), 0);
}

}  // namespace

void mapShares(Graph& graph, const Tensor& storage, const SharedBlock& block) {
  for (const BlockShare& share : sharesOf(block)) {
    graph.setTileMapping(elementsOfShare(storage, block.shape, share), share.tile);
  }
}

void addTransposedShares(Graph& graph, const TransposedBlock& block, ShareGrain grain,
                         Arrivals& arrivals) {
  const Shape& shape = block.source.shape();
  const std::uint64_t unit_rows = shape[dimBeforeRows(shape)];
  const std::uint64_t row = shape.back();
  const Tensor source =
      block.source.reshape({block.source.elements() / (unit_rows * row), unit_rows, row});
  const auto add = [&](const BlockShare& share) {
    const Tensor arrived = elementsOfShare(block.arrived, shape, share);
    graph.setTileMapping(arrived, share.tile);
    arrivals.addTransposed(source.slice(share.unit, share.unit + share.units, 0)
                               .slice(share.first_row, share.first_row + share.rows, 1),
                           {{share.tile, share.units, row, share.rows},
                            arrived,
                            elementsOfShare(block.storage, shape, share)});
  };
  for (const BlockShare& share : sharesOf({shape, block.tiles, grain})) {
    for (const BlockShare& part : inBlocksOfRows(share)) add(part);
  }
}

}  // namespace ipusim::workloads
