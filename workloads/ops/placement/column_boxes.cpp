// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/placement/column_boxes.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "ipusim/error.h"
#include "workloads/graph/mapping_index.h"

namespace ipusim::workloads {

namespace {

/// Elements of a variable, in step with the columns that they belong to.
using ColumnWalk = Walk<Ends<VariableElements, PackedElements>>;

/// A level that steps through columns. Any other level steps through rows.
template <typename Level>
bool isOfColumns(const Level& level) {
  return level.stride.to != PackedElements(0);
}

/// The elements of a piece. Rows stand in the order of their memory, so that rows that follow one
/// another there are one level.
ColumnWalk walkOf(const Tensor::Piece& piece) {
  const std::size_t last = piece.extent.size() - 1;
  std::vector<std::size_t> rows(last);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::stable_sort(rows.begin(), rows.end(), [&piece](std::size_t a, std::size_t b) {
    return piece.stride[a] > piece.stride[b];
  });
  ColumnWalk walk{{piece.offset, PackedElements(piece.begin[last])}};
  for (const std::size_t d : rows) {
    walk.addInside({piece.extent[d], {VariableElements(piece.stride[d]), PackedElements(0)}});
  }
  walk.addInside({piece.extent[last], {VariableElements(piece.stride[last]), PackedElements(1)}});
  return walk;
}

/// Calls `visit` with parts of `walk` that have at most one level of rows.
template <typename Visit>
void forEachMatrix(const ColumnWalk& walk, const Visit& visit) {
  const auto rows = std::count_if(walk.levels.begin(), walk.levels.end(),
                                  [](const auto& level) { return !isOfColumns(level); });
  if (rows <= 1) return visit(walk);
  ColumnWalk inner = walk;
  inner.levels.erase(inner.levels.begin());
  for (std::uint64_t i = 0; i < walk.levels.front().count; ++i) {
    forEachMatrix(inner, visit);
    inner.begin += walk.levels.front().stride;
  }
}

ColumnBox boxOf(VariableId variable, const TilePart<PackedElements>& part) {
  ColumnBox box{part.tile, variable, part.begin.value(), part.walk.begin.to.value(), 1, 1, 1, 1};
  for (const auto& level : part.walk.levels) {
    const bool columns = isOfColumns(level);
    std::uint64_t& count = columns ? box.columns : box.rows;
    std::uint64_t& stride = columns ? box.column_stride : box.row_stride;
    check(count == 1, "a part of a matrix is a box");
    count = level.count;
    stride = level.stride.from.value();
  }
  return box;
}

/// True for rows that fill consecutive memory.
bool isRun(const ColumnBox& box) {
  return (box.columns == 1 || box.column_stride == 1) &&
         (box.rows == 1 || box.row_stride == box.columns);
}

/// Adds `box` to the rows of `before` where it continues them.
bool join(const ColumnBox& box, ColumnBox& before) {
  const bool is_next = before.tile == box.tile && before.variable == box.variable &&
                       before.column == box.column && before.columns == box.columns &&
                       isRun(before) && isRun(box) &&
                       before.begin + before.rows * before.columns == box.begin;
  if (!is_next) return false;
  before.rows += box.rows;
  before.row_stride = before.columns;
  return true;
}

/// Where a variable is mapped.
struct MappedVariable {
  explicit MappedVariable(const Variable& variable) : index(variable), intervals(index) {}

  MappingIndex index;
  IntervalCursor intervals;
};

}  // namespace

std::vector<ColumnBox> columnBoxesOf(const Graph& graph, const Tensor& tensor) {
  std::vector<ColumnBox> boxes;
  std::map<VariableId, MappedVariable> variables;
  std::vector<TilePart<PackedElements>> parts;
  for (const Tensor::Piece& piece : tensor.pieces()) {
    MappedVariable& variable =
        variables.try_emplace(piece.variable, graph.variable(piece.variable)).first->second;
    forEachMatrix(walkOf(piece), [&](const ColumnWalk& matrix) {
      cut(matrix, variable.intervals, parts);
      for (const TilePart<PackedElements>& part : parts) {
        const ColumnBox box = boxOf(piece.variable, part);
        if (boxes.empty() || !join(box, boxes.back())) boxes.push_back(box);
      }
    });
  }
  return boxes;
}

}  // namespace ipusim::workloads
