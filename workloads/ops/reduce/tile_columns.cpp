// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/tile_columns.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "ipusim/error.h"
#include "workloads/graph/mapping_index.h"
#include "workloads/ops/placement/column_boxes.h"
#include "workloads/vertices/reductions/reductions.h"

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

  /// Adds elements [begin, end) of the matrix, which come next in the share.
  void add(std::uint64_t begin, std::uint64_t end) {
    while (begin < end) {
      const std::uint64_t column = begin % columns_;
      const std::uint64_t length = std::min(end - begin, columns_ - column);
      parts_.push_back({column, column + length, begin / columns_, elements_});
      begin += length;
      elements_ += length;
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
  std::uint64_t elements_ = 0;
  std::vector<RowPart> parts_;
};

}  // namespace

std::vector<TileColumns> columnsByTile(const Graph& graph, const Tensor& matrix) {
  const Tensor flat = matrix.reshape({matrix.elements()});
  check(flat.pieces().size() == 1, "rows of consecutive elements");
  const Section whole = flat.view().front();
  const MappingIndex index(graph.variable(whole.variable));
  std::vector<TileShare> shares;
  for (std::size_t i = index.numberOf(whole.begin()); i < index.intervals().size(); ++i) {
    const MappedInterval& interval = index.intervals()[i];
    const std::uint64_t begin = std::max(interval.begin, whole.begin());
    const std::uint64_t end = std::min(interval.end, whole.end());
    if (begin >= end) break;
    const std::uint32_t tile = interval.tile.tile();
    if (tile >= shares.size()) shares.resize(tile + 1, TileShare(matrix.shape()[1]));
    shares[tile].add(begin - whole.begin(), end - whole.begin());
  }
  std::vector<TileColumns> all;
  for (std::uint32_t t = 0; t < shares.size(); ++t) {
    for (TileColumns& own : shares[t].split(TileId(t), whole)) all.push_back(std::move(own));
  }
  return all;
}

namespace {

Section sectionOf(const ColumnBox& box) {
  Section section{box.variable, {VariableElements(box.begin)}};
  auto& levels = section.walk.levels;
  if (box.rows > 1) levels.push_back({box.rows, VariableElements(box.row_stride)});
  if (box.columns > 1) levels.push_back({box.columns, VariableElements(1)});
  return section;
}

}  // namespace

std::vector<TileColumns> columnRunsByTile(const Graph& graph, const Tensor& tensor) {
  std::map<std::tuple<TileId, std::uint64_t, std::uint64_t>, TileColumns> runs;
  for (const ColumnBox& box : columnBoxesOf(graph, tensor)) {
    check(box.columns == 1 || box.column_stride == 1, "columns one after the other");
    const std::uint64_t end = box.column + box.columns;
    const auto [found, is_new] = runs.try_emplace({box.tile, box.column, end});
    TileColumns& own = found->second;
    // Rows of different boxes may lie at any distance in the tile's memory.
    own = {box.tile,
           box.column,
           end,
           own.rows + box.rows,
           std::move(own.view),
           is_new && box.rows > 1 ? box.row_stride : kNoStride};
    appendRegular(own.view, sectionOf(box));
  }
  std::vector<TileColumns> all;
  all.reserve(runs.size());
  for (auto& [place, own] : runs) all.push_back(std::move(own));
  return all;
}

}  // namespace ipusim::workloads
