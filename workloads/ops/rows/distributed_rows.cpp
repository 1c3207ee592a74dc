// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/rows/distributed_rows.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "workloads/ops/elementwise/bias.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/reduce/sum_rows.h"
#include "workloads/ops/reduce/tile_columns.h"
#include "workloads/vertices/reductions/reductions.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::workloads {

namespace {

/// (rows, columns) as (columns, rows).
Tensor rowsLast(const Tensor& matrix) {
  return matrix.dimShuffle({1, 0});
}

bool areNextToEachOther(const Tensor::Piece& piece, std::size_t dim) {
  return piece.stride[dim] == 1 || piece.extent[dim] == 1;
}

/// Whether all pieces have elements of this dimension next to each other.
bool liesAlong(const Tensor& matrix, std::size_t dim) {
  const auto& pieces = matrix.pieces();
  const auto is_run = [dim](const Tensor::Piece& piece) {
    return areNextToEachOther(piece, dim) && piece.extent[dim] > 1;
  };
  return std::all_of(pieces.begin(), pieces.end(), is_run);
}

constexpr std::size_t kRows = 0;
constexpr std::size_t kColumns = 1;

/// A part of the partials of one box, on its tile.
struct Partial {
  TileId tile;
  std::uint64_t begin;  ///< among all reductions' rows
  std::uint64_t end;
  std::uint64_t offset;  ///< of the first one in the variable of partials
};

/// The partials by tile and rows: several boxes of a tile may have parts of the same rows.
std::vector<TileColumns> columnsOf(const std::vector<Partial>& partials, const Tensor& storage) {
  const VariableId variable = storage.pieces().front().variable;
  std::map<std::tuple<TileId, std::uint64_t, std::uint64_t>, TileColumns> by_rows;
  for (const Partial& partial : partials) {
    TileColumns& own = by_rows[{partial.tile, partial.begin, partial.end}];
    own = {partial.tile, partial.begin, partial.end, own.rows + 1, std::move(own.view), kNoStride};
    appendRegular(own.view, contiguous(variable, partial.offset, partial.end - partial.begin));
  }
  std::vector<TileColumns> columns;
  columns.reserve(by_rows.size());
  for (auto& [key, own] : by_rows) columns.push_back(std::move(own));
  return columns;
}

}  // namespace

bool DistributedRows::takes(const Graph& graph, const Tensor& matrix) {
  if (!viewsOneVariable(graph, matrix) || isConsecutive(matrix)) return false;
  return liesAlong(matrix, kRows) || liesAlong(matrix, kColumns);
}

void DistributedRows::broadcast(const Broadcast& operands, BroadcastAlong along,
                                const std::string& name) {
  const auto view = [&](const Tensor& matrix) {
    return along == BroadcastAlong::Rows ? rowsLast(matrix) : matrix;
  };
  addVectorBroadcast(graph_,
                     {operands.op, view(operands.data), operands.vector, view(operands.out)}, name,
                     program_);
}

/// Adds what reduces the elements of a row that a box has. Returns a partial for each row of each
/// box, one box after the other.
Tensor DistributedRows::reduceRuns(const std::vector<RunBox>& boxes,
                                   const std::vector<Reduction>& reductions,
                                   const std::string& name) {
  std::uint64_t elements = 0;
  for (const RunBox& run : boxes) elements += run.box.columns;
  Tensor partials = graph_.addVariable(ElementType::Float, {elements}, name + "/runs/partials");
  const ComputeSetId compute_set = graph_.addComputeSet(name + "/runs/Reduce");
  TypeCache<std::tuple<models::ReduceOp, std::uint64_t, std::uint64_t>> types;
  std::uint64_t offset = 0;
  for (const RunBox& run : boxes) {
    const ColumnBox& box = run.box;
    const models::ReduceKind kind{reductions[run.reduction].op,
                                  reductions[run.reduction].matrix.type(), ElementType::Float};
    const std::uint64_t each = ceilDiv(box.columns, std::uint64_t{machine_.workers_per_tile});
    for (std::uint64_t first = 0; first < box.columns; first += each) {
      const std::uint64_t count = std::min(each, box.columns - first);
      const Tensor out = partials.slice(offset + first, offset + first + count, 0);
      graph_.setTileMapping(out, box.tile);
      Section data{box.variable, {VariableElements(box.begin + first * box.column_stride)}};
      data.walk.addInside({count, VariableElements(box.column_stride)});
      data.walk.addInside({box.rows, VariableElements(1)});
      const auto type = types.get({kind.op, box.rows, count}, [&] {
        return reduceContinuousVertex({kind, box.rows, count});
      });
      graph_.addVertices(compute_set, {type, box.tile, 1, {{out.view()}, {View{data}}}});
    }
    offset += box.columns;
  }
  program_.add(execute(compute_set));
  return partials;
}

Tensor DistributedRows::reduce(const std::vector<Reduction>& reductions, models::ReduceOp op,
                               const std::string& name) {
  const Tensor& first = reductions.front().matrix;
  const std::uint64_t rows = first.shape()[kRows];
  HeldColumns held{{}, rows * reductions.size(), first.type(), op};
  if (liesAlong(first, kRows)) {
    for (std::size_t r = 0; r < reductions.size(); ++r) {
      for (TileColumns& own : columnRunsByTile(graph_, rowsLast(reductions[r].matrix))) {
        own.begin += r * rows;
        own.end += r * rows;
        own.op = reductions[r].op;
        held.held.push_back(std::move(own));
      }
    }
    return sumHeldRows(graph_, machine_, held, {name}, program_);
  }
  std::vector<RunBox> boxes;
  std::vector<Partial> partials;
  std::uint64_t offset = 0;
  for (std::size_t r = 0; r < reductions.size(); ++r) {
    for (const ColumnBox& box : columnBoxesOf(graph_, rowsLast(reductions[r].matrix))) {
      boxes.push_back({box, r});
      const std::uint64_t begin = r * rows + box.column;
      partials.push_back({box.tile, begin, begin + box.columns, offset});
      offset += box.columns;
    }
  }
  const Tensor storage = reduceRuns(boxes, reductions, name);
  held.held = columnsOf(partials, storage);
  for (TileColumns& own : held.held) own.op = op;
  held.type = ElementType::Float;
  return sumHeldRows(graph_, machine_, held, {name}, program_);
}

}  // namespace ipusim::workloads
