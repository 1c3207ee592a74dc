// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/gather/multi_slice.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "ipusim/error.h"
#include "workloads/ops/fill/zero.h"
#include "workloads/ops/placement/ranges.h"
#include "workloads/ops/reduce/reduction_stages.h"
#include "workloads/ops/reduce/sum_rows.h"
#include "workloads/vertices/data_movement.h"
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

/// Storage of a matrix with some rows: one block of rows per range of its columns.
class ColumnBlocks {
 public:
  ColumnBlocks(std::uint64_t rows, const std::vector<Range>& columns)
      : rows_(rows), columns_(columns) {}

  [[nodiscard]] std::uint64_t elements() const { return rows_ * columns_.back().end; }
  /// The block of range `p`, (rows, its columns), in a storage of elements() elements.
  [[nodiscard]] Tensor block(const Tensor& storage, std::size_t p) const {
    check(storage.shape().size() == 1 && storage.pieces().size() == 1, "storage in one piece");
    const Range& range = columns_[p];
    const Tensor::Piece& piece = storage.pieces().front();
    const VariableElements stride(piece.stride.front());
    Section section{piece.variable, {piece.offset + stride * (rows_ * range.begin)}};
    section.walk.levels.push_back({rows_, stride * range.size()});
    section.walk.levels.push_back({range.size(), stride});
    return {section, storage.type()};
  }
  /// The matrix in the storage: (rows, columns).
  [[nodiscard]] Tensor matrix(const Tensor& storage) const {
    std::vector<Tensor> blocks;
    blocks.reserve(columns_.size());
    for (std::size_t p = 0; p < columns_.size(); ++p) blocks.push_back(block(storage, p));
    return concat(blocks, 1);
  }

 private:
  std::uint64_t rows_;
  const std::vector<Range>& columns_;
};

std::uint64_t mostGroups(const Architecture& machine, std::uint64_t look_ups, std::size_t parts) {
  return std::max<std::uint64_t>(1, std::min<std::uint64_t>(look_ups, machine.tiles / parts));
}

/// The number of groups in which to share out look-ups that add to a table. It takes the fewest
/// cycles, including those that sum the groups' tables.
std::uint64_t scatterGroups(const Architecture& machine, const LookUpShape& all, std::size_t parts,
                            std::uint64_t columns) {
  const std::uint64_t elements = all.rows * columns;
  const std::uint64_t most = mostGroups(machine, all.offsets, parts);
  std::uint64_t best = 1;
  std::optional<Cycles> fewest;
  for (std::uint64_t groups = 1; groups <= most; groups = std::min(2 * groups, most)) {
    LookUpShape own = all;
    own.offsets = ceilDiv(all.offsets, groups);
    Cycles cycles = multiUpdateAddCycles(machine, own);
    if (groups > 1) {
      const std::uint64_t at_result = ceilDiv(elements, std::uint64_t{machine.tiles});
      cycles += planReduction(machine, {elements, groups, all.type, at_result}).cycles;
    }
    if (!fewest || cycles < *fewest) {
      fewest = cycles;
      best = groups;
    }
    if (groups == most) break;
  }
  return best;
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

/// Adds the tables of all groups, (groups, elements of a table), to which the rows of the source
/// are added.
Tensor addTables(Graph& graph, const RowScatter& scatter, const LookUpGrid& grid,
                 const OpResult& tables, ComputeSetId compute_set) {
  const ElementType type = scatter.source.type();
  const ColumnBlocks blocks(scatter.rows, grid.columns());
  const std::uint64_t groups = grid.groups().size();
  ShareTypes types;
  Tensor all = graph.addVariable(type, {groups, blocks.elements()}, tables.name + "/tables",
                                 tables.lifetime);
  const Tensor scales =
      graph.addConstant(type, {groups * grid.columns().size()}, 1, tables.name + "/scale");
  for (std::size_t g = 0; g < groups; ++g) {
    const Tensor table = all.slice(g, g + 1, 0).reshape({blocks.elements()});
    const Range& group = grid.groups()[g];
    const std::vector<View> sources =
        partsOf(scatter.source.slice(group.begin, group.end, 0), grid.columns());
    const View indices = scatter.indices.slice(group.begin, group.end, 0).view();
    for (const LookUpShare& share : grid.sharesOf(g)) {
      const Tensor block = blocks.block(table, share.part);
      const std::uint64_t number = g * grid.columns().size() + share.part;
      const Tensor scale = scales.slice(number, number + 1, 0);
      graph.setTileMapping(block, share.tile);
      graph.setTileMapping(scale, share.tile);
      const auto& vertex = types.get({share.columns.size(), group.size()}, [&] {
        return multiUpdateAddVertex({type, scatter.rows, share.columns.size(), group.size()});
      });
      graph.addVertices(compute_set,
                        {vertex,
                         share.tile,
                         1,
                         {{indices}, {block.view()}, {sources[share.part]}, {scale.view()}}});
    }
  }
  return all;
}

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

Tensor arrangeTable(Graph& graph, const Architecture& machine, const RowsOfTable& rows,
                    const std::string& name, Program& program) {
  const Tensor& table = rows.elements;
  check(table.elements() % rows.count == 0, "a table of rows");
  const std::uint64_t columns = table.elements() / rows.count;
  Tensor arranged = addTable(graph, machine, {table.type(), rows.count, columns}, {name});
  program.add(graph.copy(table, arranged.reshape(table.shape()), name + "/Copy"));
  return arranged;
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

Tensor scatterAddRows(Graph& graph, const Architecture& machine, const RowScatter& scatter,
                      const OpResult& sums, Program& program) {
  const auto& [source, indices, rows] = scatter;
  check(source.shape().size() == 2 && indices.shape() == Shape{source.shape()[0]},
        "a row for each index");
  LookUpGrid grid(machine, source);
  const LookUpShape all{source.type(), rows, grid.columns().back().size(), indices.elements()};
  const std::uint64_t groups =
      scatterGroups(machine, all, grid.columns().size(), source.shape()[1]);
  grid.shareOut(indices.elements(), groups);
  const ComputeSetId compute_set = graph.addComputeSet(sums.name + "/multiUpdateAdd");
  const Lifetime lifetime = groups == 1 ? sums.lifetime : Lifetime::Temporary;
  const Tensor tables = addTables(graph, scatter, grid, {sums.name, lifetime}, compute_set);
  addZero(graph, machine, {tables}, sums.name + "/Zero", program);
  program.add(execute(compute_set));
  const ColumnBlocks blocks(rows, grid.columns());
  if (groups == 1) return blocks.matrix(tables.reshape({blocks.elements()}));
  return blocks.matrix(sumRows(graph, machine, tables, sums, program));
}

}  // namespace ipusim::workloads
