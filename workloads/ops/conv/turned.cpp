// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/turned.h"

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

/// The innermost dimension of a block before its rows that has more than one element.
std::size_t dimBeforeRows(const Shape& block) {
  std::size_t dim = block.size() - 1;
  while (dim > 0 && block[dim - 1] == 1) --dim;
  return dim == 0 ? 0 : dim - 1;
}

}  // namespace

std::uint64_t rowsToTurn(const std::vector<Tensor>& parts, const Arrivals& arrivals) {
  const std::size_t dim = dimBeforeRows(parts.front().shape());
  std::uint64_t rows = kMostRows;
  std::uint64_t all = 0;
  std::uint64_t turned = 0;
  for (const Tensor& part : parts) {
    if (part.elements() == 0) continue;
    if (dimBeforeRows(part.shape()) != dim) return 1;
    rows = std::gcd(rows, part.shape()[dim]);
    for (const Tensor::Piece& piece : part.pieces()) {
      if (arrivals.isZero(piece)) continue;
      const std::uint64_t elements = std::accumulate(piece.extent.begin(), piece.extent.end(),
                                                     std::uint64_t{1}, std::multiplies<>());
      const bool in_rows = piece.stride.back() == 1 && piece.extent.back() > 1;
      const bool across = piece.stride[dim] == 1 && piece.extent[dim] >= kFewestRows;
      all += elements;
      if (across && !in_rows) turned += elements;
    }
  }
  // A transposition moves each element once more, whichever way it came. It pays where most
  // elements would otherwise come one by one; a majority is our own rule, and no cost is compared.
  return rows >= kFewestRows && 2 * turned > all ? rows : 1;
}

void addTurned(Graph& graph, const TurnedBlock& block, std::uint64_t rows, Arrivals& arrivals) {
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
    arrivals.addTurned(source.slice(share.begin, share.end, 0), {own, arrived, to});
  }
}

}  // namespace ipusim::workloads
