// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce_columns.h"

#include <algorithm>
#include <memory>

#include "sim/base/error.h"
#include "workloads/codelets/reduce.h"
#include "workloads/ops/shares.h"

namespace ipusim::workloads {

void mapRows(Graph& graph, const models::Machine& machine, const Tensor& matrix) {
  const std::uint64_t row = matrix.elements() / matrix.shape()[0];
  graph.mapLinearly(matrix, machine, sizeOf(matrix.type()) * row);
}

Tensor reduceColumns(Graph& graph, const models::Machine& machine, models::ReduceOp op,
                     const Tensor& matrix, const std::string& name, Program& program) {
  const Shape shape = matrix.shape();
  check(shape.size() == 2, "a matrix of rows");
  const Tensor flat = matrix.reshape({matrix.elements()});
  const std::uint64_t first = flat.pieces().front().offset;
  Tensor out = graph.addVariable(matrix.type(), {shape[0]}, name + "/Out");
  const ComputeSetId compute_set = graph.addComputeSet(name + "/Reduce");
  const models::ReduceKind kind{op, matrix.type(), matrix.type()};
  for (const auto& [tile, share] : sharesByTile(graph, flat)) {
    for (const Section& section : share) {
      const std::uint64_t begin = section.offset - first;
      check(begin % shape[1] == 0 && section.elements() % shape[1] == 0, "whole rows on a tile");
      const std::uint64_t rows = section.elements() / shape[1];
      const std::uint64_t each = ceilDiv(rows, std::uint64_t{machine.workers_per_tile});
      for (std::uint64_t row = 0; row < rows; row += each) {
        const std::uint64_t count = std::min(each, rows - row);
        const std::uint64_t from = begin / shape[1] + row;
        const Tensor own = out.slice(from, from + count, 0);
        graph.setTileMapping(own, tile);
        graph.addVertices(
            compute_set,
            {std::make_shared<ReduceContinuous>(
                 models::ContinuousReduceShape{kind, shape[1], count}),
             tile,
             1,
             {{own.view()}, {flat.flatView(from * shape[1], (from + count) * shape[1])}}});
      }
    }
  }
  program.add(execute(compute_set));
  return out;
}

}  // namespace ipusim::workloads
