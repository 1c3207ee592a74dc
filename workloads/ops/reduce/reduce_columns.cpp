// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/reduce_columns.h"

#include <algorithm>
#include <memory>

#include "ipusim/error.h"
#include "workloads/ops/placement/shares.h"
#include "workloads/vertices/reductions.h"

namespace ipusim::workloads {

namespace {

class RowReducer {
 public:
  RowReducer(Graph& graph, const Architecture& machine, models::ReduceOp op, const Tensor& matrix)
      : graph_(graph), machine_(machine), op_(op), matrix_(matrix) {
    check(matrix.shape().size() == 2, "a matrix of rows");
  }

  Tensor add(const std::string& name, Program& program) {
    const Tensor flat = matrix_.reshape({matrix_.elements()});
    const std::uint64_t first = flat.pieces().front().offset.value();
    Tensor out = graph_.addVariable(matrix_.type(), {matrix_.shape()[0]}, name + "/Out");
    const ComputeSetId compute_set = graph_.addComputeSet(name + "/Reduce");
    for (const auto& [tile, share] : sharesByTile(graph_, flat)) {
      for (const Section& section : share) {
        addRows(compute_set, tile, {section.begin() - first, section.elements()}, {flat, out});
      }
    }
    program.add(execute(compute_set));
    return out;
  }

 private:
  struct Run {
    std::uint64_t begin;
    std::uint64_t elements;
  };
  struct Operands {
    const Tensor& flat;
    const Tensor& out;
  };

  /// Adds the vertices for the rows of a run, which the workers of its tile share.
  void addRows(ComputeSetId compute_set, TileId tile, const Run& run, const Operands& operands) {
    const std::uint64_t columns = matrix_.shape()[1];
    check(run.begin % columns == 0 && run.elements % columns == 0, "whole rows on a tile");
    const std::uint64_t end = (run.begin + run.elements) / columns;
    const std::uint64_t each =
        ceilDiv(run.elements / columns, std::uint64_t{machine_.workers_per_tile});
    const models::ReduceKind kind{op_, matrix_.type(), matrix_.type()};
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

}  // namespace

void mapRows(Graph& graph, const Architecture& machine, const Tensor& matrix) {
  const std::uint64_t row = matrix.elements() / matrix.shape()[0];
  graph.mapLinearly(matrix, machine, sizeOf(matrix.type()) * row);
}

Tensor sumColumns(Graph& graph, const Architecture& machine, const Tensor& matrix,
                  const std::string& name, Program& program) {
  return RowReducer(graph, machine, models::ReduceOp::Add, matrix).add(name, program);
}

Tensor maxColumns(Graph& graph, const Architecture& machine, const Tensor& matrix,
                  const std::string& name, Program& program) {
  return RowReducer(graph, machine, models::ReduceOp::Maximum, matrix).add(name, program);
}

}  // namespace ipusim::workloads
