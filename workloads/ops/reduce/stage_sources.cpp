// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/stage_sources.h"

#include <algorithm>

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

std::uint64_t columnsIn(const std::vector<StageColumns>& columns) {
  std::uint64_t width = 0;
  for (const StageColumns& own : columns) width += own.end - own.begin;
  return width;
}

}  // namespace

HeldPlaces::HeldPlaces(const std::vector<TileColumns>& held) : held_(held) {
  for (const TileColumns& own : held) begins_.push_back(rowBegins(own));
}

std::vector<HeldRows> HeldPlaces::rows() const {
  std::vector<HeldRows> rows;
  for (const TileColumns& own : held_) rows.push_back(heldRowsOf(own));
  return rows;
}

View HeldPlaces::partials(const StageShare& share, const PatternPart& part) const {
  const StageColumns& columns = share.columns[part.pattern].front();
  const ReadRows read(columns.end - columns.begin, part);
  View view;
  for (std::uint64_t row = read.first; row < read.last; ++row) {
    appendRegular(view,
                  contiguous(held_[columns.source].view.front().variable,
                             begins_[columns.source][row] + read.begin, read.end - read.begin));
  }
  return view;
}

PlacedPartials HeldPlaces::placed() const {
  PlacedPartials placed;
  for (std::size_t h = 0; h < held_.size(); ++h) {
    const TileColumns& own = held_[h];
    placed.add(own.tile, {own.begin, own.end, own.view.front().variable, begins_[h].front()});
  }
  return placed;
}

View SentPartials::partials(const StageShare& share, const PatternPart& part, std::uint64_t first) {
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

void SentPartials::appendRow(View& view, std::uint64_t begin, std::uint64_t end,
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
