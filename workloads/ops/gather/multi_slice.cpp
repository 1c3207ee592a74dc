// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/gather/multi_slice.h"

#include <algorithm>
#include <memory>

#include "ipusim/error.h"
#include "workloads/ops/gather/column_blocks.h"
#include "workloads/ops/placement/ranges.h"
#include "workloads/vertices/movement/data_movement.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::workloads {

namespace {

/// The ranges of a table's columns, one range of whole vectors per tile.
std::vector<Range> columnRanges(const Architecture& machine, ElementType type,
                                std::uint64_t columns) {
  const std::uint64_t grain = machine.vectorWidth(type);
  const std::uint64_t parts = std::min<std::uint64_t>(machine.tiles, ceilDiv(columns, grain));
  return evenRanges(columns, parts, grain);
}

std::uint64_t mostGroups(const Architecture& machine, std::uint64_t look_ups, std::size_t parts) {
  return std::max<std::uint64_t>(1, std::min<std::uint64_t>(look_ups, machine.tiles / parts));
}

/// The work of a vertex of a group of look-ups: a part of the columns.
struct LookUpShare {
  TileId tile;
  Range columns;
  std::size_t part;  ///< number of the column range
};

/// The look-ups of some groups of indices. Every group has one tile per part of the columns.
class LookUpGrid {
 public:
  LookUpGrid(const Architecture& machine, const Tensor& rows)
      : columns_(columnRanges(machine, rows.type(), rows.shape()[1])) {}

  [[nodiscard]] const std::vector<Range>& columns() const { return columns_; }
  [[nodiscard]] const std::vector<Range>& groups() const { return groups_; }
  void shareOut(std::uint64_t look_ups, std::uint64_t groups) {
    groups_ = evenRanges(look_ups, groups);
  }

  [[nodiscard]] std::vector<LookUpShare> sharesOf(std::size_t group) const {
    std::vector<LookUpShare> shares;
    shares.reserve(columns_.size());
    for (std::size_t p = 0; p < columns_.size(); ++p) {
      const TileId tile(static_cast<std::uint32_t>(group * columns_.size() + p));
      shares.push_back({tile, columns_[p], p});
    }
    return shares;
  }

 private:
  std::vector<Range> columns_;
  std::vector<Range> groups_;
};

Tensor part(const Tensor& matrix, const Range& columns) {
  return matrix.slice(columns.begin, columns.end, 1);
}

/// One view of `matrix` per range of its columns.
std::vector<View> partsOf(const Tensor& matrix, const std::vector<Range>& columns) {
  std::vector<View> parts;
  parts.reserve(columns.size());
  for (const Range& range : columns) parts.push_back(part(matrix, range).view());
  return parts;
}

/// What the vertices of one look-up differ in: how many columns, and how many look-ups.
using ShareTypes = TypeCache<std::pair<std::uint64_t, std::uint64_t>>;

}  // namespace

RowNumbers rowNumbers(std::vector<std::uint64_t> list) {
  const auto shared = std::make_shared<const std::vector<std::uint64_t>>(std::move(list));
  return {shared->size(), [shared](std::uint64_t index) { return (*shared)[index]; }};
}

Tensor addRowIndices(Graph& graph, const Architecture& machine, const RowNumbers& rows,
                     const std::string& name) {
  const ConstantValues values = [at = rows.at](std::uint64_t index) {
    return static_cast<double>(at(index));
  };
  Tensor indices = graph.addConstant(ElementType::UInt32, {rows.count}, values, name);
  graph.mapLinearly(indices, machine);
  return indices;
}

Tensor addRowIndices(Graph& graph, const Architecture& machine,
                     const std::vector<std::uint64_t>& rows, const std::string& name) {
  return addRowIndices(graph, machine, rowNumbers(rows), name);
}

Tensor addTable(Graph& graph, const Architecture& machine, const TableShape& shape,
                const OpResult& table) {
  const std::vector<Range> columns = columnRanges(machine, shape.type, shape.columns);
  const ColumnBlocks blocks(shape.rows, columns);
  const Tensor storage =
      graph.addVariable(shape.type, {blocks.elements()}, table.name + "/table", table.lifetime);
  graph.setShape(storage, {shape.rows, shape.columns});
  for (std::size_t p = 0; p < columns.size(); ++p) {
    const Tensor block = blocks.block(storage, p);
    graph.setTileMapping(block, TileId(static_cast<std::uint32_t>(p)));
  }
  return blocks.matrix(storage);
}

Tensor gatherRows(Graph& graph, const Architecture& machine, const RowLookUp& look_up,
                  const std::string& name, Program& program) {
  const auto& [table, indices] = look_up;
  check(table.shape().size() == 2 && indices.shape().size() == 1, "rows of a table");
  LookUpGrid grid(machine, table);
  grid.shareOut(indices.elements(), mostGroups(machine, indices.elements(), grid.columns().size()));
  const std::uint64_t width = table.shape()[1];
  const Tensor out = graph.addVariable(table.type(), {indices.elements() * width}, name + "/Out");
  graph.setShape(out, {indices.elements(), width});
  const ComputeSetId compute_set = graph.addComputeSet(name + "/multiSlice");
  const std::vector<View> tables = partsOf(table, grid.columns());
  ShareTypes types;
  std::vector<Tensor> results;
  results.reserve(grid.groups().size());
  for (std::size_t g = 0; g < grid.groups().size(); ++g) {
    const Range& group = grid.groups()[g];
    const ColumnBlocks blocks(group.size(), grid.columns());
    const Tensor storage = out.slice(group.begin * width, group.end * width, 0);
    const View own_indices = indices.slice(group.begin, group.end, 0).view();
    for (const LookUpShare& share : grid.sharesOf(g)) {
      const Tensor block = blocks.block(storage, share.part);
      graph.setTileMapping(block, share.tile);
      const LookUpShape shape{table.type(), table.shape()[0], share.columns.size(), group.size()};
      graph.addVertices(compute_set, {types.get({share.columns.size(), group.size()},
                                                [&] { return multiSliceVertex(shape); }),
                                      share.tile,
                                      1,
                                      {{own_indices}, {tables[share.part]}, {block.view()}}});
    }
    results.push_back(blocks.matrix(storage));
  }
  program.add(execute(compute_set));
  return concat(results, 0);
}

}  // namespace ipusim::workloads
