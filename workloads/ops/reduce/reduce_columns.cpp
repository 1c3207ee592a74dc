// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/reduce_columns.h"

#include <algorithm>
#include <memory>

#include "ipusim/error.h"
#include "workloads/ops/placement/shares.h"
#include "workloads/vertices/reductions/reductions.h"

namespace ipusim::workloads {

namespace {

class RowReducer {
 public:
  RowReducer(Graph& graph, const Architecture& machine, models::ReduceOp op, const Tensor& matrix)
      : graph_(graph), machine_(machine), op_(op), matrix_(matrix) {
    check(matrix.shape().size() == 2, "a matrix of rows");
  }

  /// Adds the vertices to a compute set. Returns the results.
  Tensor add(ElementType type, const std::string& name, ComputeSetId compute_set) {
    const Tensor flat = matrix_.reshape({matrix_.elements()});
    const std::uint64_t first = flat.pieces().front().offset.value();
    Tensor out = graph_.addVariable(type, {matrix_.shape()[0]}, name + "/Out");
    for (const auto& [tile, share] : sharesByTile(graph_, flat)) {
      for (const Section& section : share) {
        addRows(compute_set, tile, {section.begin() - first, section.elements()}, {flat, out});
      }
    }
    return out;
  }

 private:
  struct TileRows {
    std::uint64_t begin;
    std::uint64_t elements;
  };
  struct RowsAndResult {
    const Tensor& flat;
    const Tensor& out;
  };

  /// Adds the vertices for the rows of a run, which the workers of its tile share.
  void addRows(ComputeSetId compute_set, TileId tile, const TileRows& run,
               const RowsAndResult& operands) {
    const std::uint64_t columns = matrix_.shape()[1];
    check(run.begin % columns == 0 && run.elements % columns == 0, "whole rows on a tile");
    const std::uint64_t end = (run.begin + run.elements) / columns;
    const std::uint64_t each =
        ceilDiv(run.elements / columns, std::uint64_t{machine_.workers_per_tile});
    const models::ReduceKind kind{op_, matrix_.type(), operands.out.type()};
    for (std::uint64_t row = run.begin / columns; row < end; row += each) {
      const std::uint64_t count = std::min(each, end - row);
      const Tensor own = operands.out.slice(row, row + count, 0);
      graph_.setTileMapping(own, tile);
      graph_.addVertices(
          compute_set,
          {shared(reduceContinuousVertex({kind, columns, count})),
           tile,
           1,
           {{own.view()}, {operands.flat.flatView(row * columns, (row + count) * columns)}}});
    }
  }

  Graph& graph_;
  const Architecture& machine_;
  models::ReduceOp op_;
  const Tensor& matrix_;
};

/// A reduction whose results have the type of the matrix.
Tensor ofOneType(Graph& graph, const Architecture& machine, const RowsReduction& reduction,
                 const std::string& name, Program& program) {
  const ComputeSetId compute_set = graph.addComputeSet(name + "/Reduce");
  Tensor out = RowReducer(graph, machine, reduction.op, reduction.matrix)
                   .add(reduction.matrix.type(), name, compute_set);
  program.add(execute(compute_set));
  return out;
}

}  // namespace

void mapRows(Graph& graph, const Architecture& machine, const Tensor& matrix) {
  const std::uint64_t row = matrix.elements() / matrix.shape()[0];
  graph.mapLinearly(matrix, machine, sizeOf(matrix.type()) * row);
}

Tensor sumColumns(Graph& graph, const Architecture& machine, const Tensor& matrix,
                  const std::string& name, Program& program) {
  return ofOneType(graph, machine, {matrix, models::ReduceOp::Add}, name, program);
}

Tensor maxColumns(Graph& graph, const Architecture& machine, const Tensor& matrix,
                  const std::string& name, Program& program) {
  return ofOneType(graph, machine, {matrix, models::ReduceOp::Maximum}, name, program);
}

std::vector<Tensor> reduceColumns(Graph& graph, const Architecture& machine,
                                  const std::vector<RowsReduction>& reductions,
                                  const std::string& name, Program& program) {
  const ComputeSetId compute_set = graph.addComputeSet(name + "/Reduce");
  std::vector<Tensor> results;
  results.reserve(reductions.size());
  for (const RowsReduction& reduction : reductions) {
    results.push_back(RowReducer(graph, machine, reduction.op, reduction.matrix)
                          .add(ElementType::Float, name, compute_set));
  }
  program.add(execute(compute_set));
  return results;
}

}  // namespace ipusim::workloads
