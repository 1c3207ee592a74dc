// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/rows/row_steps.h"

#include <algorithm>

#include "workloads/ops/placement/shares.h"
#include "workloads/ops/reduce/reduce_columns.h"
#include "workloads/vertices/elementwise/elementwise.h"

namespace ipusim::workloads {

using models::OpPlacement;

namespace {

// A worker needs about this many elements to pay for its start.
constexpr std::uint64_t kShortestSegment = 16;

/// The smallest divisor of `number` that is not below `least`, or `number`.
std::uint64_t divisorFrom(std::uint64_t number, std::uint64_t least) {
  std::uint64_t divisor = std::min(number, least);
  while (number % divisor != 0) ++divisor;
  return divisor;
}

}  // namespace

RowCut cutRows(const Architecture& machine, const RowCut& whole, std::uint64_t unit) {
  const std::uint64_t units = whole.rows * whole.columns / unit;
  if (2 * units >= machine.tiles) return {whole.rows, whole.columns, whole.columns / unit};
  const std::uint64_t workers = std::uint64_t{machine.tiles} * machine.workers_per_tile;
  const std::uint64_t each = ceilDiv(whole.rows * whole.columns, workers);
  const std::uint64_t length = divisorFrom(unit, std::max(each, kShortestSegment));
  return {whole.rows, whole.columns, whole.columns / length};
}

Tensor RowSteps::addMatrix(ElementType type, const std::string& name, Lifetime lifetime) {
  Tensor matrix =
      graph_.addVariable(type, {cut_.rows * cut_.segments, cut_.length()}, name, lifetime);
  Tensor flat = matrix.reshape({matrix.elements()});
  if (first_) {
    mapAlike(graph_, *first_, flat);
  } else {
    mapRows(graph_, machine_, matrix);
    first_ = flat;
  }
  return flat;
}

Tensor RowSteps::bring(const Tensor& matrix, const std::string& name, Lifetime lifetime) {
  Tensor brought = addMatrix(matrix.type(), name, lifetime);
  program_.add(graph_.copy(matrix, brought.reshape(matrix.shape()), name));
  return brought;
}

Tensor RowSteps::sums(const Tensor& matrix, const std::string& name) {
  return reduced(models::ReduceOp::Add, matrix, name);
}

Tensor RowSteps::maxima(const Tensor& matrix, const std::string& name) {
  return reduced(models::ReduceOp::Maximum, matrix, name);
}

Tensor RowSteps::reduced(models::ReduceOp op, const Tensor& matrix, const std::string& name) {
  const auto& reduce = op == models::ReduceOp::Add ? sumColumns : maxColumns;
  Tensor partials = reduce(graph_, machine_, segmentsOf(matrix), name, program_);
  if (cut_.segments == 1) return partials;
  const Tensor rows = partials.reshape({cut_.rows, cut_.segments});
  return reduce(graph_, machine_, wholeRows({rows}, name + "/partials").front(), name + "/final",
                program_);
}

std::vector<Tensor> RowSteps::sumSegments(const std::vector<Reduction>& reductions,
                                          const std::string& name) {
  std::vector<RowsReduction> segments;
  segments.reserve(reductions.size());
  for (const Reduction& reduction : reductions) {
    segments.push_back({segmentsOf(reduction.matrix), reduction.op});
  }
  return reduceColumns(graph_, machine_, segments, name, program_);
}

std::vector<Tensor> RowSteps::sumPartials(const std::vector<Tensor>& partials,
                                          const std::string& name) {
  if (partials.front().shape()[1] == 1) {
    std::vector<Tensor> sums;
    sums.reserve(partials.size());
    for (const Tensor& sum : partials) sums.push_back(sum.reshape({sum.elements()}));
    return sums;
  }
  std::vector<RowsReduction> reductions;
  reductions.reserve(partials.size());
  for (const Tensor& rows : wholeRows(partials, name + "/partials")) {
    reductions.push_back({rows, models::ReduceOp::Add});
  }
  return reduceColumns(graph_, machine_, reductions, name, program_);
}

/// Copies of `partials`, which lie alike, with each row on one tile.
std::vector<Tensor> RowSteps::wholeRows(const std::vector<Tensor>& partials,
                                        const std::string& name) {
  std::vector<Tensor> rows;
  std::vector<CopyPair> pairs;
  for (const Tensor& from : partials) {
    rows.push_back(graph_.addVariable(from.type(), from.shape(), name));
    if (rows.size() == 1) {
      mapRows(graph_, machine_, rows.front());
    } else {
      const Shape flat{from.elements()};
      mapAlike(graph_, rows.front().reshape(flat), rows.back().reshape(flat));
    }
    pairs.push_back({from, rows.back()});
  }
  program_.add(graph_.copy(pairs, name));
  return rows;
}

Tensor RowSteps::atSegments(const Tensor& vector, const std::string& name) {
  if (cut_.segments == 1) return vector;
  return bringToSegments(vector.reshape({cut_.rows, 1}).broadcast(cut_.segments, 1), name);
}

Tensor RowSteps::bringToSegments(const Tensor& values, const std::string& name) {
  Tensor brought = graph_.addVariable(values.type(), {cut_.rows * cut_.segments}, name);
  for (const TileSegments& own : segmentsByTile(*first_)) {
    graph_.setTileMapping(brought.slice(own.first, own.first + own.count, 0), own.tile);
  }
  program_.add(graph_.copy(values, brought.reshape(values.shape()), name));
  return brought;
}

void RowSteps::broadcast(models::BinaryOp op, const MatrixAndVector& operands,
                         const std::string& name) {
  const ElementType type = operands.matrix.type();
  const ComputeSetId compute_set = graph_.addComputeSet(name);
  for (const TileSegments& own : segmentsByTile(operands.matrix)) {
    const BroadcastVectorShape shape{{op, type, OpPlacement::InPlace},
                                     VectorAxis::Outer,
                                     own.count,
                                     cut_.length(),
                                     RowGaps::None};
    const std::uint64_t end = own.first + own.count;
    graph_.addVertices(compute_set,
                       {shared(broadcastVectorVertex(shape)),
                        own.tile,
                        1,
                        {{operands.matrix.flatView(own.first * cut_.length(), end * cut_.length())},
                         {operands.vector.flatView(own.first, end)}}});
  }
  program_.add(execute(compute_set));
}

std::vector<RowSteps::TileSegments> RowSteps::segmentsByTile(const Tensor& matrix) const {
  const std::uint64_t first = matrix.pieces().front().offset.value();
  std::vector<TileSegments> segments;
  for (const auto& [tile, share] : sharesByTile(graph_, matrix)) {
    for (const Section& section : share) {
      segments.push_back(
          {tile, (section.begin() - first) / cut_.length(), section.elements() / cut_.length()});
    }
  }
  return segments;
}

}  // namespace ipusim::workloads
