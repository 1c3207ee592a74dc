// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/planner/held_rows.h"

#include <algorithm>

#include "base/numbers/grain_parts.h"

namespace ipusim::workloads {

namespace {

/// The least that the linear mapping puts on a tile. Source: as mappedLinearly().
constexpr Bytes kLeastOnTile(128);

/// Adds columns that have `rows` elements each, next to each other, unless there are none.
void addColumns(std::vector<HeldRows>& held, const TileInterval& columns, std::uint64_t rows) {
  const std::uint64_t width = columns.end - columns.begin;
  if (width == 0 || rows == 0) return;
  held.push_back({columns.tile, columns.begin, columns.end, rows, 1, checkedProduct(width, rows)});
}

/// Adds the columns [begin, end) of rows that are `stride` apart, unless there are none.
void addRows(std::vector<HeldRows>& held, const TileInterval& columns, std::uint64_t rows,
             std::uint64_t stride) {
  if (stride == 1) return addColumns(held, columns, rows);
  if (columns.begin == columns.end || rows == 0) return;
  held.push_back({columns.tile, columns.begin, columns.end, 1, rows, stride});
}

}  // namespace

std::vector<HeldRows> heldOfRows(std::uint64_t columns, const std::vector<TileInterval>& elements) {
  std::vector<HeldRows> held;
  for (const auto& [tile, begin, end] : elements) {
    const std::uint64_t whole = (end - begin) / columns;
    const std::uint64_t first = begin % columns;
    const std::uint64_t last = first + (end - begin) % columns;
    // The columns from `first` to `last` have one row more than the others. They may wrap around.
    const std::uint64_t wrapped = last > columns ? last - columns : 0;
    addRows(held, {tile, 0, wrapped}, whole + 1, columns);
    addRows(held, {tile, wrapped, first}, whole, columns);
    addRows(held, {tile, first, std::min(last, columns)}, whole + 1, columns);
    addRows(held, {tile, std::min(last, columns), columns}, whole, columns);
  }
  return held;
}

std::vector<HeldRows> heldOfColumns(std::uint64_t rows, const std::vector<TileInterval>& elements) {
  std::vector<HeldRows> held;
  for (const auto& [tile, begin, end] : elements) {
    std::uint64_t column = begin / rows;
    const std::uint64_t last = end / rows;
    if (column == last) {
      addColumns(held, {tile, column, column + 1}, end - begin);
      continue;
    }
    if (begin % rows != 0) {
      addColumns(held, {tile, column, column + 1}, rows - begin % rows);
      ++column;
    }
    addColumns(held, {tile, column, last}, rows);
    addColumns(held, {tile, last, last + 1}, end % rows);
  }
  return held;
}

std::vector<TileInterval> spreadLinearly(const Interconnect& tiles, const LinearSpread& spread) {
  const GrainParts parts =
      splitInGrains(spread.elements, {spread.grain, tiles.tiles, spread.least});
  std::vector<TileInterval> intervals;
  intervals.reserve(parts.parts);
  for (std::uint64_t part = 0; part < parts.parts; ++part) {
    const auto tile = static_cast<std::uint32_t>((spread.first_tile + part) % tiles.tiles);
    intervals.push_back({TileId(tile), parts.beginOf(part), parts.beginOf(part + 1)});
  }
  return intervals;
}

std::vector<TileInterval> mappedLinearly(const Architecture& machine, ElementType type,
                                         std::uint64_t elements) {
  const std::uint64_t least = ceilDiv(kLeastOnTile.value(), sizeOf(type).value());
  return spreadLinearly(machine, {elements, machine.vectorWidth(type), least});
}

}  // namespace ipusim::workloads
