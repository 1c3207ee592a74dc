// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/tile_columns.h"

#include <algorithm>
#include <utility>

#include "ipusim/error.h"
#include "workloads/ops/placement/shares.h"
#include "workloads/vertices/reductions.h"

namespace ipusim::workloads {

namespace {

/// A part of a row of the matrix: its columns, and its place in the tile's memory.
struct RowPart {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t row;
  std::uint64_t local;
};

/// What one tile holds of the matrix, by the columns at which it begins and ends.
class TileShare {
 public:
  explicit TileShare(std::uint64_t columns) : columns_(columns) {}

  /// Adds elements [begin, end) of the matrix, which are `local` elements into the share.
  void add(std::uint64_t begin, std::uint64_t end, std::uint64_t local) {
    while (begin < end) {
      const std::uint64_t column = begin % columns_;
      const std::uint64_t length = std::min(end - begin, columns_ - column);
      parts_.push_back({column, column + length, begin / columns_, local});
      begin += length;
      local += length;
    }
  }

  [[nodiscard]] std::vector<TileColumns> split(TileId tile, const Section& matrix) const {
    std::vector<TileColumns> split;
    const std::vector<std::uint64_t> cuts = cutsOf();
    for (std::size_t c = 0; c + 1 < cuts.size(); ++c) {
      const std::vector<RowPart> rows = rowsOf(cuts[c], cuts[c + 1]);
      if (rows.empty()) continue;
      TileColumns own{tile, cuts[c], cuts[c + 1], rows.size(), {}, strideOf(rows)};
      for (const RowPart& part : rows) {
        appendRegular(own.view,
                      contiguous(matrix.variable, matrix.begin() + part.row * columns_ + own.begin,
                                 own.end - own.begin));
      }
      split.push_back(std::move(own));
    }
    return split;
  }

 private:
  /// The columns at which parts begin or end.
  [[nodiscard]] std::vector<std::uint64_t> cutsOf() const {
    std::vector<std::uint64_t> cuts;
    cuts.reserve(2 * parts_.size());
    for (const RowPart& part : parts_) {
      cuts.push_back(part.begin);
      cuts.push_back(part.end);
    }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    return cuts;
  }

  /// The rows that the tile has of these columns.
  [[nodiscard]] std::vector<RowPart> rowsOf(std::uint64_t begin, std::uint64_t end) const {
    std::vector<RowPart> rows;
    for (const RowPart& part : parts_) {
      if (part.begin > begin || part.end < end) continue;
      rows.push_back({begin, end, part.row, part.local + begin - part.begin});
    }
    std::sort(rows.begin(), rows.end(),
              [](const RowPart& a, const RowPart& b) { return a.row < b.row; });
    return rows;
  }

  [[nodiscard]] static std::uint64_t strideOf(const std::vector<RowPart>& rows) {
    if (rows.size() < 2) return kNoStride;
    const std::uint64_t stride = rows[1].local - rows[0].local;
    for (std::size_t r = 2; r < rows.size(); ++r) {
      if (rows[r].local - rows[r - 1].local != stride) return kNoStride;
    }
    return stride;
  }

  std::uint64_t columns_;
  std::vector<RowPart> parts_;
};

}  // namespace

std::vector<TileColumns> columnsByTile(const Graph& graph, const Tensor& matrix) {
  const Tensor flat = matrix.reshape({matrix.elements()});
  check(flat.pieces().size() == 1, "rows of consecutive elements");
  const Section whole = flat.view().front();
  std::vector<TileColumns> all;
  for (const auto& [tile, view] : sharesByTile(graph, flat)) {
    TileShare share(matrix.shape()[1]);
    std::uint64_t local = 0;
    for (const Section& section : view) {
      share.add(section.begin() - whole.begin(), section.end() - whole.begin(), local);
      local += section.elements();
    }
    for (TileColumns& own : share.split(tile, whole)) all.push_back(std::move(own));
  }
  return all;
}

}  // namespace ipusim::workloads
