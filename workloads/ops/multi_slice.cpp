// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/multi_slice.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "sim/base/error.h"
#include "workloads/codelets/multi_slice.h"
#include "workloads/ops/reduction_stages.h"
#include "workloads/ops/sum_rows.h"
#include "workloads/ops/zero.h"

namespace ipusim::workloads {

using models::Machine;

namespace {

/// The vendor's library spreads a tensor over the tiles in grains of at least 128 bytes.
/// Source: graphcore/poplibs poputil::mapTensorLinearly.
constexpr Bytes kGrain(128);

struct Range {
  std::uint64_t begin;
  std::uint64_t end;
  [[nodiscard]] std::uint64_t size() const { return end - begin; }
};

/// [0, size) in `parts` parts of whole grains, as even as that goes.
std::vector<Range> evenRanges(std::uint64_t size, std::uint64_t parts, std::uint64_t grain) {
  const std::uint64_t grains = ceilDiv(size, grain);
  std::vector<Range> ranges;
  ranges.reserve(parts);
  for (std::uint64_t p = 0; p < parts; ++p) {
    ranges.push_back(
        {p * grains / parts * grain, std::min(size, (p + 1) * grains / parts * grain)});
  }
  return ranges;
}

/// The columns of a table in parts, a tile each: whole vectors.
std::vector<Range> columnRanges(const Machine& machine, models::ElementType type,
                                std::uint64_t columns) {
  const std::uint64_t grain = machine.vectorWidth(type);
  const std::uint64_t parts = std::min<std::uint64_t>(machine.tiles, ceilDiv(columns, grain));
  return evenRanges(columns, parts, grain);
}

/// Storage of a matrix of some rows, with a block of rows for each range of its columns.
class ColumnBlocks {
 public:
  ColumnBlocks(std::uint64_t rows, const std::vector<Range>& columns)
      : rows_(rows), columns_(columns) {}

  [[nodiscard]] std::uint64_t elements() const { return rows_ * columns_.back().end; }
  /// Of elements() elements, the block of range `p`: (rows, its columns).
  [[nodiscard]] Tensor block(const Tensor& storage, std::size_t p) const {
    const Range& range = columns_[p];
    return storage.slice(rows_ * range.begin, rows_ * range.end, 0).reshape({rows_, range.size()});
  }
  /// (rows, columns)
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

std::uint64_t mostGroups(const Machine& machine, std::uint64_t look_ups, std::size_t parts) {
  return std::max<std::uint64_t>(1, std::min<std::uint64_t>(look_ups, machine.tiles / parts));
}

/// Vertices with equal shapes share a codelet.
template <typename Look>
class LookUpCodelets {
 public:
  std::shared_ptr<const Codelet> operator()(const LookUpShape& shape) {
    auto& codelet = codelets_[{shape.elements, shape.offsets}];
    if (!codelet) codelet = std::make_shared<Look>(shape);
    return codelet;
  }

 private:
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::shared_ptr<const Codelet>> codelets_;
};

/// In how many groups to share out look-ups that add to a table: as few cycles as possible, with
/// the sum of the groups' tables.
std::uint64_t scatterGroups(const Machine& machine, const LookUpShape& all, std::size_t parts,
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

}  // namespace

Tensor addRowIndices(Graph& graph, const Machine& machine, const std::vector<std::uint64_t>& rows,
                     const std::string& name) {
  Tensor indices = graph.addConstant(models::ElementType::UInt32, {rows.size()},
                                     std::vector<double>(rows.begin(), rows.end()), name);
  graph.mapLinearly(indices, machine, kGrain);
  return indices;
}

Tensor arrangeTable(Graph& graph, const Machine& machine, const Tensor& table,
                    const std::string& name, Program& program) {
  check(table.shape().size() == 2, "a table of rows");
  const std::vector<Range> columns = columnRanges(machine, table.type(), table.shape()[1]);
  const ColumnBlocks blocks(table.shape()[0], columns);
  const Tensor storage = graph.addVariable(table.type(), {blocks.elements()}, name + "/table");
  for (std::size_t p = 0; p < columns.size(); ++p) {
    const Tensor block = blocks.block(storage, p);
    graph.setTileMapping(block, static_cast<std::uint32_t>(p));
  }
  Tensor arranged = blocks.matrix(storage);
  program.add(graph.copy(table, arranged, name + "/Copy"));
  return arranged;
}

Tensor gatherRows(Graph& graph, const Machine& machine, const Tensor& table, const Tensor& indices,
                  const std::string& name, Program& program) {
  check(table.shape().size() == 2 && indices.shape().size() == 1, "rows of a table");
  const std::uint64_t rows = table.shape()[0];
  const std::uint64_t look_ups = indices.elements();
  const std::vector<Range> columns = columnRanges(machine, table.type(), table.shape()[1]);
  const std::vector<Range> groups =
      evenRanges(look_ups, mostGroups(machine, look_ups, columns.size()), 1);
  const Tensor out = graph.addVariable(table.type(), {look_ups * table.shape()[1]}, name + "/Out");
  const ComputeSetId compute_set = graph.addComputeSet(name + "/multiSlice");
  LookUpCodelets<MultiSlice> codelets;
  std::vector<Tensor> results;
  std::uint32_t tile = 0;
  for (const Range& group : groups) {
    const ColumnBlocks blocks(group.size(), columns);
    const std::uint64_t first = group.begin * table.shape()[1];
    const Tensor storage = out.slice(first, first + blocks.elements(), 0);
    for (std::size_t p = 0; p < columns.size(); ++p, ++tile) {
      const Tensor block = blocks.block(storage, p);
      graph.setTileMapping(block, tile);
      graph.addVertices(compute_set,
                        {codelets({table.type(), rows, columns[p].size(), group.size()}),
                         tile,
                         1,
                         {{indices.slice(group.begin, group.end, 0).view()},
                          {table.slice(columns[p].begin, columns[p].end, 1).view()},
                          {block.view()}}});
    }
    results.push_back(blocks.matrix(storage));
  }
  program.add(execute(compute_set));
  return concat(results, 0);
}

Tensor scatterAddRows(Graph& graph, const Machine& machine, const Tensor& source,
                      const Tensor& indices, const ScatterTarget& target, const std::string& name,
                      Program& program) {
  check(source.shape().size() == 2 && indices.shape() == Shape{source.shape()[0]},
        "a row for each index");
  const std::uint64_t width = source.shape()[1];
  const std::vector<Range> columns = columnRanges(machine, source.type(), width);
  const std::uint64_t shares = scatterGroups(
      machine, {source.type(), target.rows, columns.back().size(), indices.elements()},
      columns.size(), width);
  const std::vector<Range> groups = evenRanges(indices.elements(), shares, 1);
  const ColumnBlocks blocks(target.rows, columns);
  const Tensor tables =
      graph.addVariable(source.type(), {shares, blocks.elements()}, name + "/tables",
                        shares == 1 ? target.lifetime : Lifetime::Temporary);
  const std::uint64_t used = shares * columns.size();
  const Tensor scales = graph.addConstant(source.type(), {used}, 1, name + "/scale");
  const ComputeSetId compute_set = graph.addComputeSet(name + "/multiUpdateAdd");
  LookUpCodelets<MultiUpdateAdd> codelets;
  std::uint32_t tile = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Range& group = groups[g];
    const Tensor storage = tables.slice(g, g + 1, 0).reshape({blocks.elements()});
    const Tensor rows = source.slice(group.begin, group.end, 0);
    for (std::size_t p = 0; p < columns.size(); ++p, ++tile) {
      const Tensor block = blocks.block(storage, p);
      const Tensor scale = scales.slice(tile, tile + 1, 0);
      graph.setTileMapping(block, tile);
      graph.setTileMapping(scale, tile);
      graph.addVertices(compute_set,
                        {codelets({source.type(), target.rows, columns[p].size(), group.size()}),
                         tile,
                         1,
                         {{indices.slice(group.begin, group.end, 0).view()},
                          {block.view()},
                          {rows.slice(columns[p].begin, columns[p].end, 1).view()},
                          {scale.view()}}});
    }
  }
  addZero(graph, machine, {tables}, name + "/Zero", program);
  program.add(execute(compute_set));
  if (shares == 1) return blocks.matrix(tables.reshape({blocks.elements()}));
  return blocks.matrix(sumRows(graph, machine, tables, name, target.lifetime, program));
}

}  // namespace ipusim::workloads
