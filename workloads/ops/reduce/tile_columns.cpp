// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/tile_columns.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "ipusim/error.h"
#include "workloads/ops/placement/shares.h"
#include "workloads/vertices/reductions.h"

namespace ipusim::workloads {

namespace {

/// A part of a row of the matrix, and its place in the tile's memory.
struct RowPart {
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
      parts_[{column, column + length}].push_back({begin / columns_, local});
      cuts_.insert({column, column + length});
      begin += length;
      local += length;
    }
  }

  [[nodiscard]] std::vector<TileColumns> split(TileId tile, const Section& matrix) const {
    std::vector<TileColumns> split;
    for (auto cut = cuts_.begin(); std::next(cut) != cuts_.end(); ++cut) {
      const std::vector<RowPart> rows = rowsOf(*cut, *std::next(cut));
      if (rows.empty()) continue;
      TileColumns own{tile, *cut, *std::next(cut), rows.size(), {}, strideOf(rows)};
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
  [[nodiscard]] std::vector<RowPart> rowsOf(std::uint64_t begin, std::uint64_t end) const {
    std::vector<RowPart> rows;
    for (const auto& [columns, parts] : parts_) {
      if (columns.first > begin || columns.second < end) continue;
      for (const RowPart& part : parts) {
        rows.push_back({part.row, part.local + begin - columns.first});
      }
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
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<RowPart>> parts_;
  std::set<std::uint64_t> cuts_;
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
