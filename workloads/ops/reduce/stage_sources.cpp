// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/stage_sources.h"

#include <algorithm>

#include "ipusim/error.h"
#include "workloads/graph/mapping_index.h"
#include "workloads/ops/reduce/tile_columns.h"

namespace ipusim::workloads {

namespace {

/// The place of element `index` of a section in its variable.
std::uint64_t placeOf(const Section& section, std::uint64_t index) {
  std::uint64_t place = section.begin();
  const auto& levels = section.walk.levels;
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    place += index % level->count * level->stride.value();
    index /= level->count;
  }
  return place;
}

/// The first element of each row that a tile has of some columns.
std::vector<std::uint64_t> rowBegins(const TileColumns& own) {
  const std::uint64_t width = own.end - own.begin;
  std::vector<std::uint64_t> begins;
  begins.reserve(own.rows);
  for (const Section& section : own.view) {
    const std::uint64_t elements = section.elements();
    for (std::uint64_t i = 0; i < elements; i += width) begins.push_back(placeOf(section, i));
  }
  return begins;
}

HeldRows heldRowsOf(const TileColumns& own) {
  const bool is_run = own.end - own.begin == 1 && (own.rows == 1 || own.stride == 1);
  if (is_run) return {own.tile, own.begin, own.end, own.rows, 1, own.rows};
  return {own.tile, own.begin, own.end, 1, own.rows, own.stride};
}

/// Rows [first, last) of columns [begin, end) of a tile's pattern of `width` columns: those of a
/// part, which may read several rows as one.
struct ReadRows {
  ReadRows(std::uint64_t width, const PatternPart& part)
      : begin(part.begin), end(part.end), first(part.first), last(part.last) {
    if (part.end <= width) return;
    const std::uint64_t rows_as_one = part.columns() / width;
    begin = 0;
    end = width;
    first *= rows_as_one;
    last *= rows_as_one;
  }
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t first;
  std::uint64_t last;
};

/// The tiles of a section of consecutive elements, which are counted from its first one.
std::vector<TileInterval> intervalsOf(const Graph& graph, const Section& whole) {
  const MappingIndex index(graph.variable(whole.variable));
  std::vector<TileInterval> intervals;
  for (std::size_t i = index.numberOf(whole.begin()); i < index.intervals().size(); ++i) {
    const MappedInterval& mapped = index.intervals()[i];
    const std::uint64_t begin = std::max(mapped.begin, whole.begin());
    const std::uint64_t end = std::min(mapped.end, whole.end());
    if (begin >= end) break;
    intervals.push_back({mapped.tile, begin - whole.begin(), end - whole.begin()});
  }
  return intervals;
}

std::uint64_t columnsIn(const std::vector<StageColumns>& columns) {
  std::uint64_t width = 0;
  for (const StageColumns& own : columns) width += own.end - own.begin;
  return width;
}

}  // namespace

LocalPartials LocalPartials::ofRows(const Graph& graph, const Tensor& matrix) {
  LocalPartials places(matrix.pieces().front().variable);
  for (const TileColumns& own : columnsByTile(graph, matrix)) {
    places.blocks_.push_back({heldRowsOf(own), 1, rowBegins(own), 0});
  }
  return places;
}

LocalPartials LocalPartials::ofColumns(const Graph& graph, const Tensor& matrix) {
  const Tensor flat = matrix.reshape({matrix.elements()});
  check(flat.pieces().size() == 1, "columns of consecutive elements");
  const Section whole = flat.view().front();
  const std::uint64_t rows = matrix.shape()[1];
  LocalPartials places(whole.variable);
  for (const TileInterval& interval : intervalsOf(graph, whole)) {
    std::uint64_t begin = whole.begin() + interval.begin;
    for (const HeldRows& held : heldOfColumns(rows, {interval})) {
      places.blocks_.push_back({held, rows, {}, begin});
      begin += held.columns() * held.rows();
    }
  }
  return places;
}

std::vector<HeldRows> LocalPartials::rows() const {
  std::vector<HeldRows> rows;
  rows.reserve(blocks_.size());
  for (const Block& block : blocks_) rows.push_back(block.rows);
  return rows;
}

/// Adds a row of columns [columns.first, columns.second) of a block.
void LocalPartials::appendRow(View& view, const Block& block, std::uint64_t row,
                              const std::pair<std::uint64_t, std::uint64_t>& columns) const {
  if (block.column_stride == 1) {
    const std::uint64_t width = columns.second - columns.first;
    return appendRegular(view, contiguous(variable_, block.place(columns.first, row), width));
  }
  for (std::uint64_t c = columns.first; c < columns.second; ++c) {
    appendRegular(view, contiguous(variable_, block.place(c, row), 1));
  }
}

View LocalPartials::partials(const StageShare& share, const PatternPart& part) const {
  const std::vector<StageColumns>& sources = share.columns[part.pattern];
  const Block& only = blocks_[sources.front().source];
  View view;
  if (sources.size() == 1 && only.row_begins.empty()) {
    const std::uint64_t column = sources.front().begin - only.rows.begin;
    for (std::uint64_t c = part.begin; c < part.end; ++c) {
      appendRegular(view, contiguous(variable_, only.place(column + c, part.first), part.rows()));
    }
    return view;
  }
  const ReadRows read(sources.front().end - sources.front().begin, part);
  std::uint64_t before = 0;  // rows of the sources before
  for (const StageColumns& own : sources) {
    const Block& block = blocks_[own.source];
    const std::uint64_t column = own.begin - block.rows.begin;
    const std::uint64_t end = before + block.rows.rows();
    for (std::uint64_t row = std::max(before, read.first); row < std::min(end, read.last); ++row) {
      appendRow(view, block, row - before, {column + read.begin, column + read.end});
    }
    before = end;
  }
  return view;
}

PlacedPartials LocalPartials::placed() const {
  PlacedPartials placed;
  for (const Block& block : blocks_) {
    const HeldRows& own = block.rows;
    check(block.column_stride == 1 || own.columns() == 1, "partials side by side");
    placed.add(own.tile, {own.begin, own.end, variable_, block.place(0, 0)});
  }
  return placed;
}

View ReceivedPartials::partials(const StageShare& share, const PatternPart& part,
                                std::uint64_t first) {
  const std::vector<StageColumns>& columns = share.columns[part.pattern];
  const ReadRows read(columnsIn(columns), part);
  View view;
  for (std::uint64_t row = read.first; row < read.last; ++row) {
    std::uint64_t begin = 0;  // of these columns in the pattern
    for (const StageColumns& own : columns) {
      const std::uint64_t end = begin + own.end - own.begin;
      const std::uint64_t from = std::max(begin, read.begin);
      const std::uint64_t to = std::min(end, read.end);
      if (from < to) {
        appendRow(view, own.begin + from - begin, own.begin + to - begin, first + row);
      }
      begin = end;
    }
  }
  return view;
}

void ReceivedPartials::appendRow(View& view, std::uint64_t begin, std::uint64_t end,
                                 std::uint64_t row) {
  for (auto region = sources_.regionOf(begin); begin < end; ++region) {
    auto& tiles = tiles_[region->tiles];
    if (tiles.empty()) tiles = sources_.tilesOf(*region);
    const std::uint64_t until = std::min(end, region->end);
    placed_.appendTo(view, tiles.at(row), begin, until);
    begin = until;
  }
}

}  // namespace ipusim::workloads
